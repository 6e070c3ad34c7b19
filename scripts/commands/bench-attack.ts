import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { attacks, prepareAttack, type AttackTarget, type Statuses } from '../bench/attacks.ts'
import { openBenchServer, type BenchServer } from '../bench/load.ts'
import { answeringThreadMs } from '../bench/processorTime.ts'
import { Neighbour, neighbourCalls, toQuantiles, type Times } from '../bench/neighbour.ts'

/**
 * `npm run bench:attack`: what one customer feels of another who attacks. For each attack a fresh server as people have
 * it, with its usual limits; first without the attack, then beside it.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(attacks).join(',') },
    seconds: { type: 'string', default: '30' },
    // On a machine that is not quiet: what the answering thread worked while a call was open.
    processor: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const neighbours = ['admin@south.example', 'super@dmp.example', 'sys@dmp.example', 'staff@north.example']
const aim = { ratio: 3, megabytes: 300 }

console.log(`| attack | ${neighbourCalls.join(' | ')} | worst p99 | memory | attacker's answers | aim |`)
console.log(`|---${'|---'.repeat(neighbourCalls.length + 4)}|`)
for (const name of values.only.split(',')) {
  const title = attacks[name]?.title
  if (title === undefined) throw new Error(`${name} is no attack. There are: ${Object.keys(attacks).join(', ')}.`)
  const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
  const server = await openBenchServer(folder, { DMP_LIMIT_FACTOR: '1', DMP_TRUST_PROXY: '1' })
  try {
    console.log(await measure(server, name, title))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(
  `\nCells: p50 and p99 in ms, with the p99 without the attack in brackets. ` +
    `Aim: every p99 at most ${aim.ratio} times the one without, memory at most ${aim.megabytes} MB more.`,
)

async function measure(server: BenchServer, name: string, title: string): Promise<string> {
  const neighbour = new Neighbour(server.url, neighbours, toClock(server))
  await neighbour.begin()
  const target: AttackTarget = { url: server.url, token: await server.tokenOf('admin@north.example') }
  await prepareAttack(name, target)
  // Its start is no part of the attack.
  const attacker = await openAttacker(name, target, seconds + 2)
  // The first round only warms up.
  await neighbour.measure(4)
  const control = await neighbour.measure(seconds)
  const previousMb = server.memoryMb()
  let peakMb = previousMb
  const watch = setInterval(() => (peakMb = Math.max(peakMb, server.memoryMb())), 50)
  const statuses = attacker.begin()
  const during = await neighbour.measure(seconds)
  const answers = await statuses
  clearInterval(watch)
  neighbour.end()
  return toRow(title, control, during, peakMb - previousMb, answers)
}

function toClock({ pid }: BenchServer): () => number {
  return values.processor ? () => answeringThreadMs(pid) : () => performance.now()
}

interface Attacker {
  begin(): Promise<Statuses>
}

async function openAttacker(name: string, target: AttackTarget, seconds: number): Promise<Attacker> {
  const thread = new Worker(new URL('../bench/attacker.thread.ts', import.meta.url), {
    workerData: { name, target, seconds },
  })
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
    })
  await next<'ready'>()
  return {
    begin: () => {
      thread.postMessage('begin')
      return next<Statuses>()
    },
  }
}

function toRow(title: string, control: Times, during: Times, megabytes: number, statuses: Statuses): string {
  const compared = neighbourCalls.map((kind) => ({
    without: toQuantiles(control[kind]),
    beside: toQuantiles(during[kind]),
  }))
  const cells = compared.map(
    ({ without, beside }) => `${beside.p50.toFixed(0)} / ${beside.p99.toFixed(0)} (${without.p99.toFixed(0)})`,
  )
  const ratio = Math.max(...compared.map(({ without, beside }) => beside.p99 / without.p99))
  const isReached = ratio <= aim.ratio && megabytes <= aim.megabytes
  return `| ${[
    title,
    ...cells,
    `× ${ratio.toFixed(1)}`,
    `+${megabytes.toFixed(0)} MB`,
    describe(statuses),
    isReached ? 'reached' : 'missed',
  ].join(' | ')} |`
}

function describe(statuses: Statuses): string {
  const parts = Object.entries(statuses).map(([status, count]) => `${count} × ${status === '0' ? 'none' : status}`)
  return parts.join(', ') || 'none'
}
