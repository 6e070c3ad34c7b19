import { toOwnAddress } from './since.ts'

/**
 * Lets webpack find the scripts and styles in the page's markup, so that it does not load them again. Webpack compares
 * the address as text: the markup has a path, webpack an absolute URL beside its part's first script.
 */
export function adoptPageScripts(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[src]'))
    script.setAttribute('src', toOwnAddress(script.src))
  // One that hung has its first address already (`hostStartScript`).
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    link.dataset.href = toOwnAddress(link.dataset.href ?? link.href)
}
