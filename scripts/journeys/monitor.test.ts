import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { alertAt, monitor } from './monitor.ts'
import type { MonitorRound } from './monitorRound.ts'

const well: MonitorRound = { passed: 12, failed: 0, notes: [] }
const bad: MonitorRound = { passed: 11, failed: 1, failures: ['[desktop] › a.e2e.ts:5 › signs in'], notes: [] }

/** Runs with these outcomes, one after the other, and is ended in the middle of the next. */
async function watch(outcomes: readonly MonitorRound[], alert?: (text: string) => Promise<void>) {
  const end = new AbortController()
  const [lines, pauses]: [string[], number[]] = [[], []]
  let runs = 0
  const failed = await monitor({
    minutes: 5,
    run: () => {
      runs += 1
      if (runs > outcomes.length) end.abort()
      return Promise.resolve(outcomes[runs - 1] ?? { passed: 0, failed: 12, notes: [] })
    },
    askLive: () => Promise.resolve(undefined),
    signal: end.signal,
    say: (line) => void lines.push(line),
    alert,
    now: () => new Date('2026-05-05T09:00:00.000Z'),
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
  })
  return { failed, lines, pauses }
}

describe('a monitor', () => {
  it('says each run in a line and the journeys that failed below, and pauses between', async () => {
    const { pauses, ...rest } = await watch([well, bad, well])
    expect(rest).toEqual({
      failed: 1,
      lines: [
        '2026-05-05 09:00:00Z ✓ 12 journeys passed, 0 s',
        '2026-05-05 09:00:00Z ✗ 1 of 12 journeys failed, 0 s\n    [desktop] › a.e2e.ts:5 › signs in',
        '2026-05-05 09:00:00Z ✓ 12 journeys passed, 0 s',
      ],
    })
    // A tenth more or less, so that monitors of many machines do not come at the same moment.
    const waited = pauses.reduce((sum, ms) => sum + ms, 0) / 3
    expect(waited).toBeGreaterThanOrEqual(270_000)
    expect(waited).toBeLessThanOrEqual(330_000)
  })

  it('alerts when a deployment begins to fail and when it is well again, not with each run', async () => {
    const told: string[] = []
    await watch([well, bad, bad, well, well], (text) => Promise.resolve(void told.push(text)))
    expect(told).toEqual([
      'Failing: 1 of 12 journeys failed, 0 s\n    [desktop] › a.e2e.ts:5 › signs in',
      'Well again after 2 failed runs.',
    ])
  })

  it('goes on when an alert cannot be delivered, and says so', async () => {
    const { lines } = await watch([bad, well], () => Promise.reject(new Error('chat.example responded with 500.')))
    expect(lines).toContain('    The alert was not delivered: chat.example responded with 500.')
    expect(lines.at(-2)).toContain('✓ 12 journeys')
  })

  it('tries at once what goes live while it waits, and says what came of it', async () => {
    const end = new AbortController()
    const record = { snapshot: 'old' } as NonNullable<MonitorRound['record']>
    const lines: string[] = []
    let [runs, asked] = [0, 0]
    await monitor({
      minutes: 60,
      run: () => {
        runs += 1
        if (runs === 2) end.abort()
        return Promise.resolve({ ...bad, record, notes: ['remote-scan: rolled back.'] })
      },
      askLive: () => Promise.resolve((asked += 1) < 3 ? 'old' : 'new'),
      signal: end.signal,
      say: (line) => void lines.push(line),
      pause: () => Promise.resolve(),
    })
    expect([runs, asked]).toEqual([2, 3])
    expect(lines[0]).toContain('\n    remote-scan: rolled back.')
  })

  it('makes one round where a timer of the machine starts it', async () => {
    const options = { minutes: 5, isOnce: true, askLive: () => Promise.resolve(undefined) }
    const signal = new AbortController().signal
    expect(await monitor({ ...options, run: () => Promise.resolve(bad), signal, say: () => undefined })).toBe(1)
  })

  it('ends at once while it waits', async () => {
    const end = new AbortController()
    const askLive = () => Promise.resolve(undefined)
    const options = { minutes: 60, run: () => Promise.resolve(bad), askLive, signal: end.signal }
    expect(await monitor({ ...options, say: () => setImmediate(() => end.abort()) })).toBe(1)
  })
})

it('an alert is a message for a chat, and a refusal of it an error', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (piece: string) => bodies.push(piece))
    request.on('end', () => response.writeHead(request.url === '/open' ? 200 : 403).end())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
  await alertAt(`http://${origin}/open`)('Failing')
  expect(bodies).toEqual(['{"text":"Failing"}'])
  await expect(alertAt(`http://${origin}/closed`)('Failing')).rejects.toThrow(`${origin} responded with 403.`)
  server.close()
})
