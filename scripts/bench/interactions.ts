import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  kinds,
  listSteps,
  openOurList,
  openTheirList,
  type Clock,
  type Interaction,
  type MeasuredList,
  type Step,
} from '../../e2e/bench/interactions.ts'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { account } from '../../e2e/support/accounts.ts'
import { openSession } from '../../e2e/support/api.ts'
import { openDatabase } from '../../server/src/db/client.ts'
import { fillSeries } from '../../server/src/testing/manySeries.ts'
import { limits } from '../../shared/contract/src/limits.ts'
import { startDemoServer } from '../journeys/demoServer.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { serveAntdTable } from './antdTable.ts'
import { startPostgres } from './postgres.ts'

const seriesCount = 10_000
/** The largest that the list offers. */
const pageSize = Math.max(...limits.pageSizes)
/** Both have loaded by then what they load late. */
const warmUp = 10

const said: Readonly<Record<Clock, string>> = {
  clock: 'ms at a processor four times slower',
  processor: 'work of the main thread, ms times four',
}

type Pair = readonly [ours: Interaction, theirs: Interaction]
interface Taken {
  readonly step: Step
  readonly pair: Pair
}

/**
 * So many interactions with the list of 10,000 rows, each with ours and with antd's own table in turn, line by line:
 * the product as it is used, with a server and PostgreSQL; and antd's with all rows in memory, so that it asks nobody.
 */
export async function* measureInteractions(count: number, clock: Clock): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
  const cluster = await startPostgres(folder)
  try {
    const server = await startDemoServer({ DATABASE_URL: cluster.url, DMP_LIMIT_FACTOR: '1000000' })
    try {
      await fill(cluster.url)
      const antd = await serveAntdTable(await readRows(server.url), pageSize)
      try {
        const taken = await takeInTurn(server.url, antd.url, { count, clock })
        yield `\n${count} interactions, ${seriesCount} rows, ${pageSize} a page, load ${loadavg()[0]?.toFixed(1)}; ${said[clock]}`
        yield* describe(taken)
        if (clock === 'clock') yield describeWaiting(taken.map(({ pair: [ours] }) => ours))
      } finally {
        antd.stop()
      }
    } finally {
      await server.stop()
    }
  } finally {
    cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(url: string): Promise<void> {
  const { db, pool, close } = await openDatabase({ kind: 'postgres', url, poolSize: 1 })
  const { email } = account('admin')
  const found = await pool?.query<{ id: string }>('select organization_id as id from users where email = $1', [email])
  await fillSeries(db, found?.rows[0]?.id ?? '', 0, seriesCount)
  await close()
}

/** In the order of our list before anything is sorted. */
async function readRows(url: string): Promise<readonly unknown[]> {
  const session = await openSession(url, 'dmp-web', account('admin'))
  if (typeof session === 'string') throw new Error('E2E_ADMIN needs a second step; name an account that needs none.')
  const rows = await session.call<readonly unknown[]>('GET', 'Scan/list')
  await session.close()
  return rows
}

async function takeInTurn(
  ourUrl: string,
  theirUrl: string,
  { count, clock }: { readonly count: number; readonly clock: Clock },
): Promise<Taken[]> {
  const browser = await openBrowser(await findBrowser())
  try {
    const lists = [
      await openOurList(browser, { url: ourUrl, path: `/scan?pageSize=${pageSize}`, clock }),
      await openTheirList(browser, { url: theirUrl, path: '/', clock }),
    ] as const
    for (const step of listSteps(warmUp)) await takePair(lists, step, false)
    const taken: Taken[] = []
    for (const step of listSteps(count)) taken.push({ step, pair: await takePair(lists, step, taken.length % 2 === 1) })
    return taken
  } finally {
    await browser.close()
  }
}

async function takePair([ours, theirs]: readonly MeasuredList[], step: Step, isTurned: boolean): Promise<Pair> {
  if (!ours || !theirs) throw new Error('There are two lists to compare.')
  if (!isTurned) return [await ours.take(step), await theirs.take(step)]
  const second = await theirs.take(step)
  return [await ours.take(step), second]
}

type Read = (interaction: Interaction) => number

function* describe(taken: readonly Taken[]): Generator<string> {
  yield inColumns('', ['p50', 'p98', 'antd: p50', 'p98', 'ratios: p50', 'p98'])
  const measures: readonly (readonly [name: string, ours: Read, theirs: Read])[] = [
    ['until the next frame', ({ nextPaintMs }) => nextPaintMs, ({ nextPaintMs }) => nextPaintMs],
    ['until the result', ({ resultMs }) => resultMs, ({ resultMs }) => resultMs],
  ]
  for (const [name, ours, theirs] of measures)
    for (const kind of [undefined, ...kinds]) {
      const pairs = taken.filter(({ step }) => kind === undefined || step.kind === kind).map(({ pair }) => pair)
      if (pairs.length === 0) continue
      const [a, b] = [pairs.map(([one]) => ours(one)), pairs.map(([, one]) => theirs(one))]
      const times = [quantile(a, 0.5), quantile(a, 0.98), quantile(b, 0.5), quantile(b, 0.98)] as const
      const ratios = [times[0] / times[2], times[1] / times[3]]
      yield inColumns(kind === undefined ? `${name}, all ${pairs.length}` : `  ${kind}`, [
        ...times.map((value) => value.toFixed(0)),
        ...ratios.map((value) => value.toFixed(2)),
      ])
    }
}

const inColumns = (label: string, values: readonly string[]): string =>
  label.padEnd(32) + values.map((value) => value.padStart(12)).join('')

/** Of the time to ours' result: what the server took, and what a search waits for further letters. */
function describeWaiting(ours: readonly Interaction[]): string {
  const waits = ours.filter(({ serverMs }) => serverMs > 0)
  const total = (read: Read): number => waits.reduce((sum, one) => sum + read(one), 0)
  const share = (read: Read): string => `${((total(read) / total(({ resultMs }) => resultMs)) * 100).toFixed(0)} %`
  const ms = quantile(
    waits.map(({ serverMs }) => serverMs),
    0.5,
  ).toFixed(0)
  return `${waits.length} of ours asked the server, which took ${ms} ms (p50), ${share(({ serverMs }) => serverMs)} of the time to their result; before it was asked passed ${share(({ askedMs }) => askedMs)}`
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
