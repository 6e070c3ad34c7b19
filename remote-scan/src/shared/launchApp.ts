import { account } from '@dmp/contract'
import { call, session, settings } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'

/** The facts of a scan that an external app needs (7.42). */
export interface LaunchTarget {
  readonly organizationId: string
  readonly dataStoreID: string
  readonly imageSetID: string
  readonly studyUID: string
  readonly seriesUID: string
}

/** The bundled viewer; another one is an address template in the settings. */
const bundledViewer =
  '/launch?sessionId={sessionId}&datastore={dataStoreID}&StudyInstanceUIDs={studyUID}&SeriesInstanceUID={seriesUID}&ImageSetID={imageSetID}'

/** The apps with an address, and the labels of their buttons. */
export type LaunchableApp = keyof ReturnType<typeof settings>['apps']
const names: Readonly<Record<LaunchableApp, string>> = { viewer: 'Viewer', bmd: 'BMD', autometrics: 'Autometrics' }

/** Whether the app has an address; the viewer always has. */
export const isSetUp = (app: LaunchableApp): boolean => app === 'viewer' || settings().apps[app] !== ''

/** `{seriesUID}` and the like become the target's values, encoded. */
export function formatLaunchAddress(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? encodeURIComponent(values[name] ?? '') : whole,
  )
}

/** Addresses that are being announced: a second click of a hurried person opens no second tab. */
const announced = new Set<string>()

/** Opens the app in a new tab with the session id (7.42); without one it says so (8.07). */
export function launch(app: LaunchableApp, target: LaunchTarget): void {
  const sessionId = session.get().tokens?.sessionId
  if (!sessionId) return notify.error('Something went wrong. Please try again later.')
  if (!isSetUp(app)) return notify.warning(`${names[app]} is not set up.`)
  const template = settings().apps[app] || bundledViewer
  // Our own launch page takes the session by its cookie; any other app exchanges the id, once. A server that knows no
  // such call needs none.
  const address = formatLaunchAddress(template, { ...target, sessionId })
  if (announced.has(address)) return
  if (!template.startsWith('/launch?')) {
    announced.add(address)
    void call(account.announceLaunch, { sessionId })
      .catch(() => undefined)
      .finally(() => announced.delete(address))
  }
  window.open(address, '_blank', 'noopener,noreferrer')
}
