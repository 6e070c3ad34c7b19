import { stat } from 'node:fs/promises'
import path from 'node:path'
import { lookForUpdate } from '../beside.ts'
import { Log } from '../log.ts'
import { clockTime, type Slower } from '../Pace.ts'
import { toGateway } from '../gateway/gatewaySettings.ts'
import { serverAddress } from '../settings.ts'
import type { WindowWork } from './runWindow.ts'

type Body = Readonly<Record<string, unknown>>
type Act = (body: Body, work: WindowWork) => Promise<string | undefined> | string | undefined

const mostFolders = 100

/** What a person can do in the window; each returns the sentence of what went wrong. */
const acts = {
  pause: ({ isPaused }, work) => {
    work.pause(isPaused === true)
    return undefined
  },
  again: (_body, { control }) => {
    control.wake()
    return undefined
  },
  answer: (_body, { control }) => {
    control.question = undefined
    control.wake()
    return undefined
  },
  clear: (_body, { control }) => {
    control.progress.clearFailures()
    return undefined
  },
  folders: async ({ folders }, work) => {
    if (!Array.isArray(folders) || folders.length > mostFolders) return `Watch at most ${mostFolders} folders.`
    const places = folders.map((each) => path.resolve(String(each)))
    for (const place of places.filter((each) => !work.control.folders.includes(each)))
      if (!(await stat(place).catch(() => undefined))?.isDirectory())
        return `${place} is not a folder that can be read.`
    work.keep({ folders: [...new Set(places)] })
    work.control.folders = [...new Set(places)]
    work.control.wake()
    return undefined
  },
  slower: ({ slower }, work) => {
    const { kilobytesPerSecond, from, to } = (slower ?? {}) as Partial<Slower>
    const isTime = (text: unknown): text is string => typeof text === 'string' && clockTime.test(text)
    if (slower === null) {
      work.keep({ slower: null })
      work.control.pace.set(undefined)
      return undefined
    }
    if (typeof kilobytesPerSecond !== 'number' || !(kilobytesPerSecond >= 10 && kilobytesPerSecond <= 1_000_000))
      return 'Give 10 to 1000000 kilobytes per second.'
    if (!isTime(from) || !isTime(to)) return 'Give two times, such as 07:00 and 18:00.'
    work.keep({ slower: { kilobytesPerSecond, from, to } })
    work.control.pace.set({ kilobytesPerSecond, from, to })
    return undefined
  },
  deidentify: ({ isOn }, work) => {
    work.keep({ deidentify: isOn === true })
    work.control.isDeidentifying = isOn === true
    return undefined
  },
  gateway: async ({ gateway }, work) => {
    const settings = toGateway(gateway)
    // As it was written: what is usual stays unsaid.
    work.keep({ gateway: settings === undefined ? null : gateway })
    await work.gateway?.use(settings)
    return work.gateway?.state.problem
  },
  connect: ({ server }, work) => {
    // Unsaid where the API token of this machine is renewed.
    const address = serverAddress(String(server ?? work.control.server ?? '')).href
    void work.connect(address)
    return undefined
  },
  cancel: (_body, work) => {
    work.cancelConnect()
    return undefined
  },
  update: async (_body, work) => {
    const { control, settings } = work
    if (control.server === undefined) return undefined
    const onUpdate = (): void => work.startAnew()
    const about = { server: control.server, settings: { ...settings, isUpdating: true }, control, onUpdate }
    await lookForUpdate(about, new Log(undefined))
    return control.update
  },
} as const satisfies Readonly<Record<string, Act>>

export const isAct = (name: string): name is keyof typeof acts => Object.hasOwn(acts, name)
export const act = async (name: keyof typeof acts, body: Body, work: WindowWork): Promise<string | undefined> =>
  (acts[name] as Act)(body, work)
