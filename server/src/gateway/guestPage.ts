import { createHash } from 'node:crypto'
import { guestPreferences, type GuestPage } from '@dmp/contract/guest'
import type { PageSnapshot, Release } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { toSource } from '@dmp/release/composition'
import { createTags, isStyle, json, listNeeded, wholePage } from './pages.ts'
import { readBrowserScript } from './readBrowserScript.ts'

const ground = readBrowserScript(new URL('./guestGround.browser.js', import.meta.url))
const groundHash = `'sha256-${createHash('sha256').update(ground).digest('base64')}'`

interface GuestParts {
  readonly host: Release
  readonly remote: Release
  readonly settings: RuntimeSettings
  /** Where pages get the files of releases, when not from this server. */
  readonly releases?: string | undefined
  readonly query: URLSearchParams
}

/**
 * The page of a part that is not trusted: the shared modules of the host and the part's own screens, of exactly these
 * releases. It names nobody, holds no other part, and draws nothing until the page around it speaks to it.
 */
export function guestPage({ host, remote, settings, releases, query }: GuestParts): string {
  const { style, script } = createTags({ releases, isGuest: true })
  const page: GuestPage = { part: remote.name, preferences: readPreferences(query) }
  const initial = host.initial.filter((file) => file.endsWith('.js'))
  return wholePage(
    remote.declaration?.title ?? remote.name,
    [
      json('dmp-guest', page),
      json('dmp-settings', settings),
      json('dmp-snapshot', toSnapshot(host, remote, releases)),
      `<script>${ground}</script>`,
      ...host.initial.filter(isStyle).map((file) => style(host, file)),
      ...initial.map((file) => script(host, file, 'defer')),
      script(host, host.entry, 'defer'),
      ...listNeeded({ host, remote, groups: ['./App'] }, { style, script }),
    ],
    '<div id="root"></div>',
  )
}

/** A person's choices that the frame, which has no storage, is told by its address. */
function readPreferences(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    guestPreferences.flatMap((name) => {
      const value = query.get(name) ?? ''
      return /^[a-z]{2,20}$/.test(value) ? [[name, value]] : []
    }),
  )
}

function toSnapshot(host: Release, remote: Release, releases?: string): PageSnapshot {
  const { firstCalls: _, lends: __, ...declaration } = remote.declaration!
  const source = toSource(remote)
  const entry = releases === undefined ? source.entry : releases + source.entry.slice('/releases'.length)
  return {
    id: '0'.repeat(16),
    host: host.releaseId,
    remotes: [{ ...source, entry, declaration }],
    ...(releases === undefined ? {} : { releases }),
  }
}

interface PolicyParts {
  readonly host: Release
  readonly remote: Release
  /** `https://dmp.example/releases`. */
  readonly releases: string
}

/**
 * Nothing of the page around it, nothing of this origin, and no address but the files of these two releases: what a
 * guest knows it can write nowhere. Sources are folders and no nonce or `'self'`: code that runs could use the first
 * for any address, and the second for the API's.
 */
export function guestPolicy({ host, remote, releases }: PolicyParts): string {
  const store = [host.name, remote.name].flatMap((name) => [`${releases}/${name}/`, `${releases}/again/${name}/`])
  const files = store.join(' ')
  return Object.entries({
    'default-src': "'none'",
    'script-src': `${groundHash} ${files}`,
    // Inline styles may be anybody's in here; a nonce would let in any address.
    'style-src': `'unsafe-inline' ${files}`,
    'img-src': `data: blob: ${files}`,
    'font-src': files,
    'connect-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'default',
    sandbox: 'allow-scripts allow-forms',
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
