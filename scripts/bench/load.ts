import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { startChild } from '../../server/src/testing/childServer.ts'
import { openLive, type LiveChannel } from '../../server/src/testing/live.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

export interface Reply {
  readonly status: number
  readonly body: string
}

/** One request over a kept connection; `fetch` costs the measuring side too much. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: options.method ?? 'GET', agent, headers: options.headers ?? {} },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          body += text
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      },
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
}

export interface Pace {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
}

/** Repeats a request on so many lanes for so long. */
export async function measurePace(
  seconds: number,
  lanes: number,
  once: (lane: number) => Promise<Reply>,
): Promise<Pace> {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < until) {
        const began = performance.now()
        const { status, body } = await once(lane)
        if (status !== 200) throw new Error(`${status}: ${body.slice(0, 200)}`)
        times.push(performance.now() - began)
      }
    }),
  )
  return toPace(times, seconds)
}

/**
 * Sends so many requests a second whether or not the ones before are answered, as people do who know nothing of each
 * other.
 */
export async function measureSteadyPace(
  seconds: number,
  perSecond: number,
  once: (n: number) => Promise<Reply>,
): Promise<Pace> {
  const times: number[] = []
  const answers: Promise<void>[] = []
  const began = performance.now()
  for (let spent = 0; spent < seconds * 1000; spent = performance.now() - began) {
    while (answers.length < (spent / 1000) * perSecond) {
      const startedAt = performance.now()
      answers.push(
        once(answers.length).then(({ status, body }) => {
          if (status !== 200) throw new Error(`${status}: ${body.slice(0, 200)}`)
          times.push(performance.now() - startedAt)
        }),
      )
    }
    await new Promise((next) => setTimeout(next, 1))
  }
  await Promise.all(answers)
  return toPace(times, seconds)
}

function toPace(times: number[], seconds: number): Pace {
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / seconds, p50: at(0.5), p95: at(0.95) }
}

export async function openBenchServer(dataDir: string, variables: Readonly<Record<string, string>> = {}) {
  const child = startChild(
    {
      DMP_DEMO: '1',
      DMP_DATA_DIR: dataDir,
      DMP_LIMIT_FACTOR: '1000000',
      DMP_LOG_LEVEL: 'silent',
      ...variables,
    },
    'main.ts',
    [],
    [],
  )
  const url = (await child.ready).replace('localhost', '127.0.0.1')
  const post = (path: string, body: object): Promise<Reply> =>
    send(`${url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const login = (email: string, password = 'DemoPassw0rd!'): Promise<Reply> =>
    post('/account/login', { ClientId: 'dmp-web', email, password })
  const fetchToken = async (email: string): Promise<string> =>
    (JSON.parse((await login(email)).body) as { data: { accessToken: string } }).data.accessToken
  const memoryMb = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.process.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const stop = async (): Promise<void> => {
    child.process.kill('SIGTERM')
    await child.ended
  }
  return { url, pid: child.process.pid ?? 0, post, login, tokenOf: fetchToken, memoryMb, stop }
}

export type BenchServer = Awaited<ReturnType<typeof openBenchServer>>

/** Opens idle live channels of one session, and asks each of them once. */
export async function openLiveChannels(
  { url, memoryMb }: BenchServer,
  token: string,
  count: number,
): Promise<{ kbEach: number; roundMs: number }> {
  const previousMb = memoryMb()
  const channels: LiveChannel[] = []
  const open = async (): Promise<void> => {
    const channel = await openLive(url, { sessionId: randomUUID(), clientId: 'dmp-web', accessToken: token })
    await channel.next()
    channels.push(channel)
  }
  for (let done = 0; done < count; done += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - done) }, open))
  await new Promise((settle) => setTimeout(settle, 3000))
  const kbEach = ((memoryMb() - previousMb) * 1024) / count
  const began = performance.now()
  for (let done = 0; done < count; done += 1000) {
    await Promise.all(
      channels.slice(done, done + 1000).map((channel) => {
        channel.send({ type: 'keepAlive' })
        return channel.next()
      }),
    )
  }
  const roundMs = performance.now() - began
  for (const channel of channels) channel.close()
  return { kbEach, roundMs }
}
