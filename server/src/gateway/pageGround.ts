import type { RuntimeSettings } from '@dmp/contract/settings'
import { watchPolicy } from '../core/contentSecurityPolicy.ts'
import { readBrowserScript } from './readBrowserScript.ts'

const code = readBrowserScript(new URL('./pageGround.browser.js', import.meta.url))

/** The address of the worker that tells of parts which hold up the page. */
export const partWatchPath = '/releases/watch.js'

/**
 * The first script of a host's page: what all parts stand on can no longer be replaced, and what a part leaves on the
 * page is known (docs/decisions/0139-contained-in-the-page.md). Inline, by the page's nonce: whatever a release brings
 * runs after it.
 */
export const pageGroundScript = (nonce: string): string =>
  `<script nonce="${nonce}" data-watch="${partWatchPath}">${code}</script>`

export const partWatch = readBrowserScript(new URL('./partWatch.browser.js', import.meta.url))

/** It asks nobody but the API, and runs nothing but itself. */
export const partWatchHeaders = (settings: Pick<RuntimeSettings, 'apiRoot'>): Readonly<Record<string, string>> => ({
  'cache-control': 'public, max-age=3600',
  'content-security-policy': watchPolicy(settings),
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
})
