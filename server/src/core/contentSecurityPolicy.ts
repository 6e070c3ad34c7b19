import type { Override } from '@dmp/contract/override'
import type { RuntimeSettings } from '@dmp/contract/settings'

/** Headers of every page (promise P30). */
export const pageHeaders = {
  // Nonce, settings and snapshot are for this one answer.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'accept-encoding',
}

/** Headers of a page that stands in a frame of this origin; whose, its policy says. */
const { 'x-frame-options': _unframed, ...framedHeaders } = pageHeaders
export const guestHeaders: Readonly<Record<string, string>> = framedHeaders

/** For answers that are no pages: nothing in them runs, loads, is framed, or sends what somebody types. */
export const closedPolicy =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Workers are documents of their own: their policy travels with the script that starts them. */
export const workerPolicy = [
  "default-src 'none'",
  "object-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The worker of the host's pages: it asks nobody but the API. */
export const watchPolicy = ({ apiRoot }: Pick<RuntimeSettings, 'apiRoot'>): string =>
  `${closedPolicy}; connect-src ${["'self'", ...foreign(apiRoot)].join(' ')}`

/** For a small page of the server itself: its one style by nonce, and a script only where the page names one. */
export const smallPagePolicy = (nonce: string, hasScript: boolean): string =>
  [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    `style-src 'nonce-${nonce}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

interface PolicyParts {
  readonly nonce: string
  readonly settings: Pick<RuntimeSettings, 'apiRoot' | 'liveUrl'>
  /** The sources that this browser may load from a development server on its own computer. */
  readonly overrides?: readonly Override[] | undefined
  /** Where the page gets the files of releases, when not from this server. */
  readonly releases?: string | undefined
  /** Parts of the page run in frames of their own, which this origin sends and which go nowhere else. */
  readonly hasGuests?: boolean
}

/**
 * The page's Content-Security-Policy: scripts of this origin only, inline by nonce only, no eval, and no text
 * becomes markup or a script address without the page's own Trusted Types policy. Another origin is let in only where
 * releases are served from there, and a development server only where the server allowed it for this browser.
 */
export function contentPolicy({ nonce, settings, overrides = [], releases = '', hasGuests }: PolicyParts): string {
  const inline = nonce === '' ? '' : ` 'nonce-${nonce}'`
  const local = overrides.flatMap(({ address }) => (address === undefined ? [] : foreign(address)))
  const elsewhere = [...foreign(releases), ...local]
  const also = elsewhere.map((origin) => ` ${origin}`).join('')
  const channels = local.map((origin) => origin.replace('http', 'ws'))
  return policy({
    'script-src': `'self'${inline}${also}`,
    'style-src': `'self'${inline}${also}`,
    ...(elsewhere.length === 0 ? {} : { 'img-src': `'self' data: blob:${also}`, 'font-src': `'self'${also}` }),
    'connect-src': [
      "'self'",
      ...foreign(settings.apiRoot),
      ...foreign(settings.liveUrl),
      ...elsewhere,
      ...channels,
    ].join(' '),
    ...(hasGuests ? { 'frame-src': "'self'" } : {}),
    'require-trusted-types-for': "'script'",
    // The second one starts the worker that tells of parts which hold up the page.
    'trusted-types': 'default dmp-watch',
  })
}

/** The viewer decodes images in workers, with WebAssembly. */
export function viewerPolicy(nonce = ''): string {
  const inline = nonce === '' ? '' : ` 'nonce-${nonce}'`
  return policy({
    'script-src': `'self' 'wasm-unsafe-eval'${inline}`,
    'style-src': "'self'",
    'worker-src': "'self'",
    'connect-src': "'self'",
  })
}

function policy(own: Readonly<Record<string, string>>): string {
  const all = {
    'default-src': "'none'",
    'object-src': "'none'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    ...own,
  }
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

/** The origin of an absolute address; nothing for a path on this origin. */
function foreign(address: string): string[] {
  return /^(?:https?|wss?):\/\//.test(address) ? [new URL(address).origin] : []
}
