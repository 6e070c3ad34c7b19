import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveChannels, openServer, pace, send, type Pace } from '../bench/identity.ts'
import { whatTimeTells } from '../bench/telling.ts'

/** `npm run bench:identity -- [channels]`: signing in, what others feel of it, what time tells, the profile and idle live channels, in one run on one server. */
const channels = Number(process.argv[2] ?? 10_000)
const rounds = 3
const samples = 200
const accounts = ['super@dmp.example', 'sys@dmp.example', 'admin@north.example', 'staff@north.example', 'service@north.example', 'admin@south.example']

const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
const server = await openServer(folder)
try {
  const token = await server.tokenOf('staff@north.example')
  const profile = () => send(`${server.url}/api/account/profile`, { headers: { authorization: `Bearer ${token}` } })
  const empty = () => send(`${server.url}/healthz`)
  // Alternating, so that whatever else the machine does meets both alike; the first round only warms up.
  const seen: [Pace, Pace][] = []
  for (let round = 0; round <= rounds; round += 1) seen.push([await pace(2, 32, empty), await pace(2, 32, profile)])
  const [hello, own] = middle(seen.slice(1), ([first, second]) => second.perSecond / first.perSecond)
  say('empty route', `${Math.round(hello.perSecond)}/s, p95 ${hello.p95.toFixed(1)} ms`)
  say('GET /account/profile, signed in', `${Math.round(own.perSecond)}/s, p95 ${own.p95.toFixed(1)} ms, ${Math.round((own.perSecond / hello.perSecond) * 100)} % of the empty route`)

  const alone = await pace(3, accounts.length, (lane) => server.login(accounts[lane] as string))
  say('sign-ins, nothing else', `${alone.perSecond.toFixed(1)}/s, p95 ${alone.p95.toFixed(0)} ms`)
  const beside: { quiet: Pace; during: Pace; signIns: Pace }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await pace(2, 4, profile)
    const [signIns, during] = await Promise.all([pace(3, accounts.length, (lane) => server.login(accounts[lane] as string)), pace(3, 4, profile)])
    beside.push({ quiet, during, signIns })
  }
  const { quiet, during, signIns } = middle(beside, (one) => one.during.p95 / one.quiet.p95)
  say('profile, 4 lanes, during sign-ins', `p95 ${during.p95.toFixed(1)} ms against ${quiet.p95.toFixed(1)} ms without, ${(during.p95 / quiet.p95).toFixed(2)}x; ${signIns.perSecond.toFixed(1)} sign-ins/s meanwhile`)

  await whatTimeTells(server, samples, (name, found) =>
    say(`time of ${name}`, `known ${found.knownMs.toFixed(2)} ms, unknown ${found.unknownMs.toFixed(2)} ms, known longer in ${(found.share * 100).toFixed(1)} % of pairs: ${found.isChance ? 'chance' : 'more than chance'}`))

  const { kbEach, roundMs } = await liveChannels(server, token, channels)
  say(`${channels} idle live channels`, `${kbEach.toFixed(1)} kB each, keep-alive of all answered in ${Math.round(roundMs)} ms`)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The round in the middle by what it measured. */
function middle<T>(all: readonly T[], by: (one: T) => number): T {
  return all.toSorted((a, b) => by(a) - by(b))[Math.floor(all.length / 2)] as T
}

function say(what: string, value: string): void {
  console.log(`${what.padEnd(34)} ${value}`)
}
