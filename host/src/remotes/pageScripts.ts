/**
 * Makes the scripts and styles that the page itself asked for findable by those who would load them otherwise: webpack
 * compares the text of the address, which is a path here and a whole address there.
 */
export function adoptPageScripts(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>('script[src]'))
    script.setAttribute('src', script.src)
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) link.dataset.href = link.href
}
