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
  const state = async (): Promise<WindowState> => (await (await ask('/state')).json()) as WindowState
  return {
    state,
    until: async (isSo) => {
      for (;;) {
        const now = await state()
        if (isSo(now)) return now
        await wait(100)
      }
    },
    act: (name, body) => ask(`/${name}`, { method: 'POST', body: JSON.stringify(body) }),
    drop: (name, body) => ask(`/drop?name=${encodeURIComponent(name)}`, { method: 'PUT', body }),
    stop: async () => {
      running.process.kill('SIGTERM')
      await running.end
    },
    origin: new URL(address).origin,
    cookie: headers.cookie,
  }
}
