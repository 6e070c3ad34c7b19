import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { liveChannels, openServer, pace, send, type Pace } from '../bench/identity.ts'

/** `node scripts/commands/bench-identity.ts [channels]`, with the project's own Node: signing in, reading the profile and idle live channels, in one run on one server. */
const channels = Number(process.argv[2] ?? 10_000)
const rounds = 3
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
  const measured = seen.slice(1).sort((a, b) => a[1].perSecond / a[0].perSecond - b[1].perSecond / b[0].perSecond)
  const [hello, own] = measured[Math.floor(rounds / 2)] as [Pace, Pace]
  say('empty route', `${Math.round(hello.perSecond)}/s, p95 ${hello.p95.toFixed(1)} ms`)
  say('GET /account/profile, signed in', `${Math.round(own.perSecond)}/s, p95 ${own.p95.toFixed(1)} ms, ${Math.round((own.perSecond / hello.perSecond) * 100)} % of the empty route`)

  const quiet = await pace(3, 4, profile)
  const [signIns, during] = await Promise.all([pace(5, accounts.length, (lane) => server.login(accounts[lane] as string)), pace(5, 4, profile)])
  say('sign-ins', `${signIns.perSecond.toFixed(1)}/s, p95 ${signIns.p95.toFixed(0)} ms`)
  say('profile meanwhile, 4 lanes', `p95 ${during.p95.toFixed(1)} ms against ${quiet.p95.toFixed(1)} ms without, ${(during.p95 / quiet.p95).toFixed(2)}x`)

  const { kbEach, roundMs } = await liveChannels(server, token, channels)
  say(`${channels} idle live channels`, `${kbEach.toFixed(1)} kB each, keep-alive of all answered in ${Math.round(roundMs)} ms`)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function say(what: string, value: string): void {
  console.log(`${what.padEnd(34)} ${value}`)
}
