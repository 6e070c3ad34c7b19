import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../server/src/db/client.ts'
import { fillSeries } from '../../server/src/testing/manySeries.ts'
import { countWrites, describeGrowth } from '../bench/growth.ts'
import { openBenchServer, type BenchServer } from '../bench/load.ts'
import { createLanes, postAll } from '../bench/oneByOne.ts'
import { startPostgres } from '../bench/postgres.ts'

/**
 * `npm run bench:rows`: objects sent one by one by STOW-RS into an organization that has many series: how many a
 * second, what each adds to the log of PostgreSQL, and which updates leave the indexes alone.
 */
const { values } = parseArgs({
  options: {
    /** Series that are there before. */
    series: { type: 'string', default: '20000' },
    lanes: { type: 'string', default: '4,16' },
    /** Objects per round, a new series on each lane. */
    objects: { type: 'string', default: '640' },
    rounds: { type: 'string', default: '3' },
    /** Statements to try beforehand, such as an index more. */
    sql: { type: 'string', default: '' },
    kilobytes: { type: 'string', default: '10' },
    /** Also two servers on the database, of which both take in objects of one organization, or each of its own. */
    servers: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
const cluster = await startPostgres(folder)
const { db, pool, close } = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 1 })
if (!pool) throw new Error('PostgreSQL has a pool.')
try {
  const server = await openBenchServer(join(folder, 'data'), { DATABASE_URL: cluster.url })
  const { rows } = await pool.query<{ id: string }>(
    `select organization_id as id from users where email = 'admin@north.example'`,
  )
  await fillSeries(db, rows[0]?.id ?? '', 0, Number(values.series))
  await pool.query(values.sql)
  // Whole pages are logged after a checkpoint: how many depends on when that was.
  await pool.query('alter system set full_page_writes = off')
  await pool.query('select pg_reload_conf()')
  for (const lanes of values.lanes.split(',').map(Number))
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      const objects = createLanes(Number(values.objects), Number(values.kilobytes) * 1024, lanes)
      const headers = { authorization: `Bearer ${await server.tokenOf('admin@north.example')}` }
      const takeIn = await postAll(server.url, '/dicom-web/studies', objects, headers)
      const before = await countWrites(pool)
      const began = performance.now()
      await takeIn()
      const pace = objects.flat().length / ((performance.now() - began) / 1000)
      const growth = describeGrowth(before, await countWrites(pool), objects.flat().length)
      console.log(
        `${lanes} lanes, round ${round}: ${pace.toFixed(0)} objects/s (load ${loadavg()[0]?.toFixed(1)}); ${growth}`,
      )
    }
  if (values.servers) await besideEachOther(server)
  await server.stop()
} finally {
  await close()
  cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** In turns: what one organization's feed and audit chain keep two servers from committing beside each other. */
async function besideEachOther(first: BenchServer): Promise<void> {
  const second = await openBenchServer(join(folder, 'second'), { DATABASE_URL: cluster.url })
  const [one, other] = ['admin@north.example', 'admin@south.example']
  for (const lanes of values.lanes.split(',').map(Number))
    for (let round = 1; round <= Number(values.rounds); round += 1)
      for (const [what, people] of [
        ['one organization', [one, one]],
        ['an organization each', [one, other]],
      ] as const) {
        const takings = await Promise.all(
          [first, second].map(async ({ url, tokenOf }, index) => {
            const objects = createLanes(Number(values.objects) / 2, Number(values.kilobytes) * 1024, lanes / 2)
            const headers = { authorization: `Bearer ${await tokenOf(people[index] ?? one)}` }
            return { count: objects.flat().length, takeIn: await postAll(url, '/dicom-web/studies', objects, headers) }
          }),
        )
        const began = performance.now()
        await Promise.all(takings.map(({ takeIn }) => takeIn()))
        const count = takings.reduce((sum, taking) => sum + taking.count, 0)
        const pace = count / ((performance.now() - began) / 1000)
        console.log(
          `two servers, ${what}, ${lanes} lanes: ${pace.toFixed(0)} objects/s (load ${loadavg()[0]?.toFixed(1)})`,
        )
      }
  await second.stop()
}
