import { snapshot } from './remotes/snapshot.ts'
import { devServerOrigins } from './remotes/activeOverrides.ts'

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML: (text: string) => string; createScriptURL: (url: string) => string },
  ): unknown
}

/** Markup is never made from text; only text without any tag or entity passes. */
export function plainText(text: string): string {
  if (/[<&]/.test(text)) throw new TypeError('Text must not become markup here.')
  return text
}

/**
 * Allows scripts only from the release store that the server names, and from a development server that it admitted to
 * this page.
 */
export function releaseAddress(url: string): string {
  const { origin, pathname, href } = new URL(url, location.href)
  const { releases } = snapshot()
  if (devServerOrigins().includes(origin) || (releases !== undefined && href.startsWith(`${releases}/`))) return url
  if (origin !== location.origin || !pathname.startsWith('/releases/'))
    throw new TypeError(`Scripts are not loaded from ${origin}${pathname}.`)
  return url
}

const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
factory?.createPolicy('default', { createHTML: plainText, createScriptURL: releaseAddress })
