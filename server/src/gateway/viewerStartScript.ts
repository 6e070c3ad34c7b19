import { toApiAddress } from '@dmp/contract/apiAddress'
import { report } from '@dmp/contract/releaseReport'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { readBrowserScript } from './readBrowserScript.ts'

const code = readBrowserScript(new URL('./viewerStart.browser.js', import.meta.url))

interface WatchedViewer {
  readonly nonce: string
  readonly releaseId: string
  readonly settings: Pick<RuntimeSettings, 'apiRoot'>
}

/** The server's own script of the viewer's page: it reports how the viewer does, so that a bad one is taken back. */
export const viewerStartScript = ({ nonce, releaseId, settings }: WatchedViewer): string =>
  `<script nonce="${nonce}" data-report="${toApiAddress(settings, report.definition.path)}" data-release="${releaseId}">${code}</script>`
