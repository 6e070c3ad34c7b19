import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startUploader } from '../processesInTests.ts'
import type { WindowState } from './toState.ts'

export interface OpenedWindow {
  readonly state: () => Promise<WindowState>
  /** Asks until it is so. */
  readonly until: (isSo: (state: WindowState) => boolean) => Promise<WindowState>
  readonly act: (name: string, body: object) => Promise<Response>
  readonly drop: (name: string, content: Uint8Array<ArrayBuffer>) => Promise<Response>
  readonly stop: () => Promise<void>
  readonly origin: string
  readonly cookie: string
}

type Kept = Readonly<Record<string, unknown>>

/** What somebody decides in the window, as it shows it and as its settings file keeps it. */
const decisions: Readonly<Record<string, readonly [(state: WindowState) => unknown, (kept: Kept) => unknown]>> = {
  folders: [({ folders }) => folders, ({ folders = [] }) => folders],
  slower: [({ slower = null }) => slower, ({ slower = null }) => slower],
  deidentify: [({ isDeidentifying }) => isDeidentifying, ({ deidentify = false }) => deidentify],
  gateway: [({ gateway }) => gateway?.settings !== undefined, ({ gateway = null }) => gateway !== null],
}

/** What is decided is kept at once: after a restart nobody is asked again, and nothing of before comes back. */
function expectKept(name: string, state: WindowState, file: string): void {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : {}
  const [ofWindow, ofFile] = decisions[name] ?? []
  expect({ [name]: ofFile?.(kept) }).toEqual({ [name]: ofWindow?.(state) })
}

/** One state follows from the one before: what has begun goes on from its beginning until it is over. */
function expectFollows(before: WindowState | undefined, { lost, failures }: WindowState): void {
  if (before?.lost !== undefined && lost !== undefined && lost.since !== before.lost.since)
    throw new Error(`The server is lost since ${before.lost.since}, and then since ${lost.since}.`)
  for (const one of failures.filter(({ isFinal, count }) => isFinal && count === 1)) {
    const known = before?.failures.find(({ path: place, reason }) => place === one.path && reason === one.reason)
    if (known?.isFinal && known.count === 1 && known.at !== one.at)
      throw new Error(`${one.path} was refused at ${known.at}, and then at ${one.at}.`)
  }
}

/** The uploader's window, started in a folder as people start it, and entered as by its page. */
export async function openUploaderWindow(
  folder: string,
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<OpenedWindow> {
  const running = startUploader(['window', '--no-open', ...words], folder, { HOME: folder, ...environment })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    running.process.stdout?.on('data', (chunk: Buffer) => {
      const found = /(http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)/.exec((said += chunk.toString()))
      if (found?.[1]) resolve(found[1])
    })
    void running.end.then((ended) => reject(new Error(ended.said)))
  })
  const entered = await fetch(address, { redirect: 'manual' })
  const headers = { cookie: (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'x-dmp-window': '1' }
  const ask = (place: string, options: RequestInit = {}) => fetch(new URL(place, address), { ...options, headers })
  const named = (option: string): string => path.resolve(folder, words[words.indexOf(option) + 1] ?? '')
  const settings = words.includes('--config') ? named('--config') : path.join(named('--state'), 'dmp-uploader.json')
  let before: WindowState | undefined
  const state = async (): Promise<WindowState> => {
    const now = (await (await ask('/state')).json()) as WindowState
    expectFollows(before, now)
    return (before = now)
  }
  return {
    state,
    until: async (isSo) => {
      for (;;) {
        const now = await state()
        if (isSo(now)) return now
        await wait(100)
      }
    },
    act: async (name, body) => {
      const answer = await ask(`/${name}`, { method: 'POST', body: JSON.stringify(body) })
      if (answer.ok && name in decisions) expectKept(name, (await answer.clone().json()) as WindowState, settings)
      return answer
    },
    drop: (name, body) => ask(`/drop?name=${encodeURIComponent(name)}`, { method: 'PUT', body }),
    stop: async () => {
      running.process.kill('SIGTERM')
      await running.end
    },
    origin: new URL(address).origin,
    cookie: headers.cookie,
  }
}
