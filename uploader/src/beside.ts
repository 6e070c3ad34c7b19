import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { limits } from '@dmp/contract/limits'
import type { StationReport } from '@dmp/contract/station'
import { compareVersions } from '@dmp/contract/versions'
import type { Control, Told } from './Control.ts'
import type { Log } from './log.ts'
import { isOfLine, toUnsent, userAgent, type Entry } from './Session.ts'
import type { Settings } from './settings.ts'
import { Stop } from './stop.ts'
import { fetchUpdate, findOffer, toTooOld } from './update/offer.ts'
import { Programs } from './update/programs.ts'
import { trustedKeys } from './update/trustedKeys.ts'
import { version } from './version.ts'

const tellEveryMs = 60_000
const updateEveryMs = 6 * 3_600_000
const withinMs = 30_000

export interface Beside {
  readonly server: URL
  readonly settings: Settings
  readonly control: Control
  /** A newer program is there: this one ends politely, and that one is started. */
  readonly onUpdate?: () => void
  readonly keys?: readonly string[]
}

/** Tells the server how this station is, once a minute, and looks for newer uploaders. Returns what ends it. */
export async function startBeside(about: Beside, session: Entry, log: Log): Promise<() => void> {
  const tell = (): void => void tellServer(about, session, log)
  const look = (): void => void lookForUpdate(about, log)
  // Told is whose this machine is, before anything is sent.
  about.control.told = undefined
  await tellServer(about, session, log)
  look()
  const timers = [setInterval(tell, tellEveryMs), setInterval(look, updateEveryMs)]
  for (const timer of timers) timer.unref()
  return () => timers.forEach((timer) => clearInterval(timer))
}

/** Numbers alone: names of files and patients stay on this machine. */
export function toReport(
  { control, settings }: Pick<Beside, 'control' | 'settings'>,
  machineId: string,
): StationReport {
  const { progress } = control
  const isPaused = control.isPaused || control.question !== undefined
  const { counts } = progress
  return {
    machineId,
    name: settings.name,
    version,
    system: process.platform === 'win32' ? 'Windows' : process.platform === 'darwin' ? 'macOS' : 'Linux',
    waiting: progress.waiting,
    waitingBytes: progress.waitingBytes,
    sent: counts.stored,
    refused: counts.refused,
    failed: progress.failed,
    isPaused,
    // Unsaid where it is off: a server of before knows no such word.
    ...(control.isDeidentifying && { isDeidentifying: true }),
  }
}

async function tellServer(about: Beside, session: Entry, log: Log): Promise<void> {
  const { server, settings, control } = about
  try {
    const entry = await session.ready()
    if (entry.kind === 'later') return entry.isUnreachable === true ? control.heard(entry.reason, log) : undefined
    const { isDeidentifying, ...report } = toReport(about, readMachineId(settings.stateFolder))
    const send = (body: object): Promise<Response> =>
      fetch(new URL('/api/Station/tell', server), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${entry.token}`,
          'content-type': 'application/json',
          'user-agent': userAgent,
        },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(withinMs),
      })
    let response = await send({ ...report, ...(isDeidentifying && { isDeidentifying }) })
    // An older server takes no word that it does not know: most of the news is better than none.
    if (response.status === 400 && isDeidentifying) response = await send(report)
    if (response.status === 401) {
      // The next look asks anew, or ends with the reason.
      session.reject(entry.token)
      control.wake()
    }
    const body = (await response.json()) as { data?: Told; message?: string }
    if (!response.ok || body.data === undefined)
      return log.keep(`The server did not take the report of this station: ${body.message ?? response.status}`)
    control.told = body.data
    control.heard(undefined, log)
    warnOfEnd(about, log)
    const tooOld = toTooOld(server, body.data.oldest)
    if (tooOld === undefined) return
    control.problem = tooOld
    control.setPaused(true)
    log.say(tooOld)
  } catch (cause) {
    if (isOfLine(cause)) control.heard(toUnsent(server, cause), log)
    // Anything else ends sending, too, and is said there.
  }
}

const dayMs = 86_400_000

/** In how many days the API token ends, as soon as somebody should renew it; 0 on the last one. */
export function toDaysLeft(until: string | undefined): number | undefined {
  const days = Math.floor((Date.parse(until ?? '') - Date.now()) / dayMs)
  return days < limits.apiTokenEndsSoonDays ? Math.max(0, days) : undefined
}

/** Once a day at most, however often a scheduler starts the uploader. */
function warnOfEnd({ server, settings, control }: Beside, log: Log): void {
  const until = control.told?.tokenExpiresDate
  const days = toDaysLeft(until)
  if (until === undefined || days === undefined) return
  const file = path.join(settings.stateFolder, 'warned-of-token')
  const today = new Date().toISOString().slice(0, 10)
  if (existsSync(file) && readFileSync(file, 'utf8') === today) return
  writeFileSync(file, today, { mode: 0o600 })
  const when = days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`
  log.say(
    `The API token ends ${when} (${until.slice(0, 10)}). Renew it before that, in the window or by ` +
      `dmp-uploader --connect ${server.origin}: settings and what waits stay.`,
  )
}

export async function lookForUpdate(
  { server, settings, control, onUpdate, keys = trustedKeys }: Beside,
  log: Log,
): Promise<void> {
  if (!settings.isUpdating || keys.length === 0) return
  const offered = (await findOffer(server))?.offered
  try {
    const fetched = await fetchUpdate(server, offered, new Programs(settings.stateFolder, version, keys), keys)
    control.update = undefined
    if (fetched === undefined) return
    log.say(`Uploader ${fetched} was fetched from ${server.host} and is started when nothing is under way.`)
    onUpdate?.()
  } catch (cause) {
    control.update = cause instanceof Stop ? cause.message : `The newer uploader could not be kept: ${String(cause)}`
    log.say(control.update)
  }
}

/** Whether the server offers a newer uploader than this one. */
export const isNewer = (offered: string | null | undefined): boolean =>
  offered !== null && offered !== undefined && compareVersions(offered, version) > 0

/** By which the server knows this machine again; it opens nothing. */
function readMachineId(stateFolder: string): string {
  const file = path.join(stateFolder, 'machine-id')
  if (existsSync(file)) {
    const text = readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f-]{36}$/.test(text)) return text
  }
  const id = randomUUID()
  writeFileSync(file, id, { mode: 0o600 })
  return id
}
