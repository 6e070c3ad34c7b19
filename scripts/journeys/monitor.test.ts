import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestTotals } from '../workspace/testTotals.ts'
import { alertAt, monitor } from './monitor.ts'

const well: TestTotals = { passed: 12, failed: 0 }
const bad: TestTotals = { passed: 11, failed: 1, failures: ['[desktop] › a.e2e.ts:5 › signs in'] }

/** Runs with these outcomes, one after the other, and is ended in the middle of the next. */
async function watch(outcomes: readonly TestTotals[], alert?: (text: string) => Promise<void>) {
  const end = new AbortController()
  const [lines, pauses]: [string[], number[]] = [[], []]
  let runs = 0
  const failed = await monitor({
    minutes: 5,
    run: () => {
      runs += 1
      if (runs > outcomes.length) end.abort()
      return Promise.resolve(outcomes[runs - 1] ?? { passed: 0, failed: 12 })
    },
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
    expect(await watch([well, bad, well])).toEqual({
      failed: 1,
      lines: [
        '2026-05-05 09:00:00Z ✓ 12 journeys passed, 0 s',
        '2026-05-05 09:00:00Z ✗ 1 of 12 journeys failed, 0 s\n    [desktop] › a.e2e.ts:5 › signs in',
        '2026-05-05 09:00:00Z ✓ 12 journeys passed, 0 s',
      ],
      pauses: [300_000, 300_000, 300_000],
    })
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

  it('ends at once while it waits', async () => {
    const end = new AbortController()
    const options = { minutes: 60, run: () => Promise.resolve(bad), signal: end.signal }
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
