import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openLiveChannels, openBenchServer, measurePace, send, measureSteadyPace, type Pace } from '../bench/load.ts'
import { startPostgres } from '../bench/postgres.ts'
import { measureTimingLeaks } from '../bench/timingLeaks.ts'

/**
 * `npm run bench:identity`: signing in, what others feel of it, what time tells, the profile and idle live channels, in
 * one run on one server.
 */
const { values } = parseArgs({
  options: {
    channels: { type: 'string', default: '10000' },
    /** On a PostgreSQL beside it instead of the embedded database. */
    postgres: { type: 'boolean', default: false },
  },
})
const channels = Number(values.channels)
const rounds = 3
const samples = 200
/** Sign-ins a second, and what others ask meanwhile. */
const rates = [10, 20, 40]
const othersPerSecond = 500
const accounts = [
  'super@dmp.example',
  'sys@dmp.example',
  'admin@north.example',
  'staff@north.example',
  'service@north.example',
  'admin@south.example',
]

const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
const cluster = values.postgres ? await startPostgres(folder) : undefined
const server = await openBenchServer(folder, cluster ? { DATABASE_URL: cluster.url } : {})
try {
  const token = await server.tokenOf('staff@north.example')
  const profile = () => send(`${server.url}/api/account/profile`, { headers: { authorization: `Bearer ${token}` } })
  const empty = () => send(`${server.url}/healthz`)
  // Alternating, so that whatever else the machine does meets both alike; the first round only warms up.
  const measuredRounds: [Pace, Pace][] = []
  for (let round = 0; round <= rounds; round += 1)
    measuredRounds.push([await measurePace(2, 32, empty), await measurePace(2, 32, profile)])
  const [hello, own] = middle(measuredRounds.slice(1), ([first, second]) => second.perSecond / first.perSecond)
  say('empty route', `${Math.round(hello.perSecond)}/s, p95 ${hello.p95.toFixed(1)} ms`)
  say(
    'GET /account/profile, signed in',
    `${Math.round(own.perSecond)}/s, p95 ${own.p95.toFixed(1)} ms, ${Math.round((own.perSecond / hello.perSecond) * 100)} % of the empty route`,
  )

  const signIn = (n: number) => server.login(accounts[n % accounts.length] as string)
  const alone = await measurePace(3, accounts.length, signIn)
  say('sign-ins, nothing else', `${alone.perSecond.toFixed(1)}/s, p95 ${alone.p95.toFixed(0)} ms`)
  for (const rate of rates) {
    const felt: { quiet: Pace; during: Pace; signIns: Pace }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const quiet = await measureSteadyPace(3, othersPerSecond, profile)
      const [signIns, during] = await Promise.all([
        measureSteadyPace(4, rate, signIn),
        measureSteadyPace(4, othersPerSecond, profile),
      ])
      felt.push({ quiet, during, signIns })
    }
    sayFelt(`profile, ${othersPerSecond}/s, ${rate} sign-ins/s`, felt)
  }
  const beside: { quiet: Pace; during: Pace; signIns: Pace }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await measurePace(2, 4, profile)
    const [signIns, during] = await Promise.all([measurePace(3, accounts.length, signIn), measurePace(3, 4, profile)])
    beside.push({ quiet, during, signIns })
  }
  sayFelt('profile and sign-ins, flat out', beside)

  await measureTimingLeaks(server, samples, (name, leak) =>
    say(
      `time of ${name}`,
      `known ${leak.knownMs.toFixed(2)} ms, unknown ${leak.unknownMs.toFixed(2)} ms, known longer in ${(leak.share * 100).toFixed(1)} % of pairs: ${leak.isChance ? 'chance' : 'more than chance'}`,
    ),
  )

  const { kbEach, roundMs } = await openLiveChannels(server, token, channels)
  say(
    `${channels} idle live channels`,
    `${kbEach.toFixed(1)} kB each, keep-alive of all answered in ${Math.round(roundMs)} ms`,
  )
} finally {
  await server.stop()
  cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The round in the middle by what it measured. */
function middle<T>(all: readonly T[], by: (figures: T) => number): T {
  return all.toSorted((a, b) => by(a) - by(b))[Math.floor(all.length / 2)] as T
}

function sayFelt(what: string, rounds: readonly { quiet: Pace; during: Pace; signIns: Pace }[]): void {
  const { quiet, during, signIns } = middle(rounds, (figures) => figures.during.p95 / figures.quiet.p95)
  say(
    what,
    `p95 ${during.p95.toFixed(2)} ms against ${quiet.p95.toFixed(2)} ms without, ${(during.p95 / quiet.p95).toFixed(2)}x; ${signIns.perSecond.toFixed(1)} sign-ins/s, p95 ${signIns.p95.toFixed(0)} ms`,
  )
}

function say(what: string, value: string): void {
  console.log(`${what.padEnd(34)} ${value}`)
}
