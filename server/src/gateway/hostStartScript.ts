import { readFileSync } from 'node:fs'
import { toApiAddress } from '@dmp/contract/apiAddress'
import { report } from '@dmp/contract/releaseReport'
import type { RuntimeSettings } from '@dmp/contract/settings'

// Without its comments and indentation: every page carries it.
const code = readFileSync(new URL('./hostStartScript.browser.js', import.meta.url), 'utf8').replaceAll(
  /^\s*(?:\/\/.*)?\n?/gm,
  '',
)

/**
 * The one script of a host's page that is the server's own and not a release's: it says so when the host does not
 * start, offers the way out of an override, and reports a live release that fails so, as a failing remote is reported.
 * Inline, by the page's nonce: what is to tell that a script did not come must not be one that may not come.
 */
export function hostStartScript(nonce: string, settings: Pick<RuntimeSettings, 'apiRoot'>): string {
  return `<script nonce="${nonce}" data-report="${toApiAddress(settings, report.definition.path)}">${code}</script>`
}
