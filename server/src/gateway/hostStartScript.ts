import { toApiAddress } from '@dmp/contract/apiAddress'
import { report } from '@dmp/contract/releaseReport'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { readBrowserScript } from './readBrowserScript.ts'

const code = readBrowserScript(new URL('./hostStartScript.browser.js', import.meta.url))

/**
 * The one script of a host's page that is the server's own and not a release's: it says so when the host does not
 * start, offers the way out of an override, and reports a live release that fails so, as a failing remote is reported.
 * Inline, by the page's nonce: what is to tell that a script did not come must not be one that may not come.
 */
export function hostStartScript(nonce: string, settings: Pick<RuntimeSettings, 'apiRoot'>): string {
  return `<script nonce="${nonce}" data-report="${toApiAddress(settings, report.definition.path)}">${code}</script>`
}
