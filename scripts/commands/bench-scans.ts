import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../server/src/db/client.ts'
import { measureDownload, openDownloads, type DownloadPace } from '../bench/downloads.ts'
import { openBenchServer, send, type BenchServer } from '../bench/load.ts'
import { measureOneByOne, openReceivers, type OneByOne } from '../bench/oneByOne.ts'
import { fillOrthanc, startOrthanc } from '../bench/orthanc.ts'
import { startPostgres, type Cluster } from '../bench/postgres.ts'
import { fillSeries } from '../../server/src/testing/manySeries.ts'
import { askQido, qidoKeys } from '../bench/qidoSearches.ts'
import { askOrthanc, askOurs, kinds, measure, worklistKinds, type Latency } from '../bench/scanSearches.ts'
import { createBatch, post, sendAll } from '../bench/scanUploads.ts'
import { sendBeside } from '../bench/uploadsBeside.ts'
import { measureUploader, type UploaderPace } from '../bench/uploaderPace.ts'

/**
 * `npm run bench:scans`: uploads, lists and searches, and memory, beside Orthanc on the same machine with the same
 * files; objects that are sent one by one also beside Orthanc on PostgreSQL and the storescp of dcmtk.
 */
const { values } = parseArgs({
  options: {
    /** Sizes of the archive that is searched. */
    series: { type: 'string', default: '100000,1000000' },
    /** Size of Orthanc's, whose searches take seconds beyond; 0 leaves it out. */
    orthanc: { type: 'string', default: '100000' },
    times: { type: 'string', default: '200' },
    /** A PostgreSQL that has these series already, of the last size; without it, one is made and filled. */
    database: { type: 'string' },
    /** Objects of 132 kB that are sent one by one in a second while lists are searched. */
    beside: { type: 'string', default: '0' },
    /** What is searched: list, worklist, qido. */
    searches: { type: 'string', default: 'list,worklist,qido' },
    /** Requests of 20 slices of 0.5 MB each, per round and side. */
    uploads: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    /** Objects that are sent one by one, per round, size and receiver; 0 leaves them out. */
    'one-by-one': { type: 'string', default: '120' },
    /** Of these in one request of STOW-RS. */
    together: { type: 'string', default: '1' },
    /** Small files that the uploader sends in each of its ways, per round; 0 leaves it out. */
    uploader: { type: 'string', default: '320' },
    /** Their sizes in kB. */
    sizes: { type: 'string', default: '10,132,512' },
    /** Slices of the first of these sizes that are downloaded as a zip, per round; 0 leaves them out. */
    downloads: { type: 'string', default: '3000' },
  },
})
type Database = Pick<Cluster, 'url' | 'memoryMb' | 'stop'>

const sizes = values.series.split(',').filter(Boolean).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
if (Number(values['one-by-one']) > 0) await uploadsOneByOne()
if (Number(values.downloads) > 0) await downloads()
const cluster = values.database ? standing(values.database) : await startPostgres(folder)
try {
  const server = await openBenchServer(join(folder, 'data'), { DATABASE_URL: cluster.url })
  if (Number(values.uploads) > 0) await uploads(server, cluster)
  if (Number(values.uploader) > 0) await uploader(server)
  for (const [index, size] of sizes.entries()) {
    if (!values.database) await fill(cluster, sizes[index - 1] ?? 0, size)
    await searches(server, cluster, size)
  }
  if (Number(values.orthanc) > 0) await searchOrthanc(Number(values.orthanc))
  await server.stop()
} finally {
  cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Every receiver in turn, so that all of them meet the same machine; the first round only warms up. */
async function uploadsOneByOne(): Promise<void> {
  const { receivers, close } = await openReceivers(folder, Number(values.together))
  try {
    for (const size of values.sizes.split(',').map(Number)) {
      const all = new Map(receivers.map(({ name }) => [name, [] as OneByOne[]]))
      for (let round = 0; round <= Number(values.rounds); round += 1)
        for (const receiver of receivers) {
          const result = await measureOneByOne(receiver, Number(values['one-by-one']), size * 1024)
          if (round > 0) all.get(receiver.name)?.push(result)
        }
      const load = loadavg()[0]?.toFixed(1)
      console.log(
        `\n${values.together} a request, ${size} kB (load ${load})`.padEnd(39),
        'objects/s; processor ms an object',
      )
      for (const [name, results] of all) say(name, showOneByOne(results))
    }
  } finally {
    await close()
  }
}

async function downloads(): Promise<void> {
  const kilobytes = Number(values.sizes.split(',')[0])
  const sides = await openDownloads(folder, Number(values.downloads), kilobytes * 1024)
  const all = new Map(sides.map(({ name }) => [name, [] as DownloadPace[]]))
  for (let round = 0; round <= Number(values.rounds); round += 1)
    for (const side of sides) {
      const pace = await measureDownload(side)
      // The first round only warms up.
      if (round > 0) all.get(side.name)?.push(pace)
    }
  console.log(`\nzip of ${values.downloads} × ${kilobytes} kB (load ${loadavg()[0]?.toFixed(1)})`)
  for (const [name, paces] of all) {
    const pace = middle(paces.map(({ megabytesPerSecond }) => megabytesPerSecond))
    say(name, `${pace.toFixed(0)} MB/s; ${middle(paces.map(({ processorMs }) => processorMs)).toFixed(0)} ms`)
  }
  for (const { stop } of sides) await stop()
}

function middle(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}

function showOneByOne(results: readonly OneByOne[]): string {
  const processes = results[0]?.processorMs.map((_, index) => middle(results.map((one) => one.processorMs[index] ?? 0)))
  const sum = processes?.reduce((total, ms) => total + ms, 0) ?? 0
  const parts = processes?.map((ms) => ms.toFixed(1)).join(' + ')
  return `${middle(results.map(({ perSecond }) => perSecond)).toFixed(0)}/s; ${sum.toFixed(1)} ms (${parts})`
}

async function uploads(server: BenchServer, { memoryMb }: Database): Promise<void> {
  const orthanc = await startOrthanc(folder)
  const token = await server.tokenOf('admin@north.example')
  const headers = { authorization: `Bearer ${token}` }
  const pace = { ours: [] as number[], stow: [] as number[], rest: [] as number[] }
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const batch = createBatch(Number(values.uploads))
    const ours = await sendAll(batch, ({ payload, headers: type }) =>
      post(`${server.url}/dicom-web/studies`, payload, { ...headers, ...type }),
    )
    const stow = await sendAll(batch, ({ payload, headers: type }) =>
      post(`${orthanc.url}/dicom-web/studies`, payload, { ...type, accept: 'application/dicom+json' }),
    )
    const again = createBatch(Number(values.uploads))
    const rest = await sendAll(again, async ({ objects }) => {
      for (const object of objects) await post(`${orthanc.url}/instances`, object, {})
    })
    // The first round only warms up.
    if (round > 0)
      for (const [key, seconds] of Object.entries({ ours, stow, rest }))
        pace[key as keyof typeof pace].push(batch.instances / seconds)
  }
  const megabytes = (512 * 512 * 2) / 2 ** 20
  const line = (what: string, all: number[]): void => {
    say(what, `${middle(all).toFixed(0)} instances/s, ${(middle(all) * megabytes).toFixed(0)} MB/s`)
  }
  line('upload, ours (STOW-RS, PostgreSQL)', pace.ours)
  line('upload, Orthanc (STOW-RS)', pace.stow)
  line('upload, Orthanc (its own POST)', pace.rest)
  say('memory after it, ours', `server ${server.memoryMb().toFixed(0)} MB, PostgreSQL ${memoryMb().toFixed(0)} MB`)
  say('memory after it, Orthanc', `${orthanc.memoryMb().toFixed(0)} MB`)
  await orthanc.stop()
}

/** The uploader over a line of 100 Mbit/s and 20 ms; ratios of one round, of which the middle one counts. */
async function uploader({ url, tokenOf }: BenchServer): Promise<void> {
  const rounds: UploaderPace[] = []
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const token = await tokenOf('admin@north.example')
    const line = { lineMegabytesPerSecond: 12.5, roundTripMs: 20 }
    const sizes = { files: Number(values.uploader), kilobytes: 10, largeMegabytes: 128 }
    const pace = await measureUploader({ server: url, token, folder, ...sizes, ...line })
    // The first round only warms up.
    if (round > 0) rounds.push(pace)
  }
  const ratio = (of: (pace: UploaderPace) => number): number => middle(rounds.map(of))
  const each = (of: (pace: UploaderPace) => number, unit: string): string => `${ratio(of).toFixed(1)} ${unit}`
  say('uploader, 10 kB, one a request', `${each(({ single }) => single, 'files/s')} (load ${loadavg()[0]?.toFixed(1)})`)
  say(
    'uploader, 10 kB, one a request, 4 lanes',
    each(({ lanes }) => lanes, 'files/s'),
  )
  say(
    'uploader, 10 kB, as it is',
    each(({ batches }) => batches, 'files/s'),
  )
  say(
    '  as it is to one a request',
    each(({ batches, single }) => batches / single, 'times'),
  )
  say(
    '  as it is to one a request, 4 lanes',
    each(({ batches, lanes }) => batches / lanes, 'times'),
  )
  say('uploader, 128 MB', `${each(({ large }) => large, 'MB/s')} of ${each(({ line }) => line, 'MB/s')}`)
  say(
    '  of the line',
    each(({ large, line }) => (100 * large) / line, '%'),
  )
}

/** One that was started by somebody else, who also stops it. */
function standing(url: string): Database {
  return { url, memoryMb: () => NaN, stop: () => {} }
}

async function fill({ url }: Database, previousSize: number, size: number): Promise<void> {
  // Half of them serve one person, and the rows are made on two.
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 })
  const { id } = await database.db
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', 'North-Clinic')
    .executeTakeFirstOrThrow()
  await fillSeries(database.db, id, previousSize, size)
  await database.close()
}

async function searches(server: BenchServer, { memoryMb }: Database, size: number): Promise<void> {
  console.log(`\n${size.toLocaleString('en')} series`.padEnd(38), 'p50 / p99')
  const token = await server.tokenOf('admin@north.example')
  // The time of the machine itself, with whatever else it does.
  say(
    'ours, empty route',
    shown(await measure(Number(values.times), async () => void (await send(`${server.url}/healthz`)))),
  )
  const beside = Number(values.beside) > 0 ? await sendBeside(server, Number(values.beside)) : undefined
  const searched = values.searches.split(',')
  for (const kind of searched.includes('list') ? kinds : []) {
    say(`ours, ${kind.name}`, shown(await measure(Number(values.times), askOurs(server.url, token, kind, size))))
  }
  for (const kind of searched.includes('worklist') ? [...kinds, ...worklistKinds] : []) {
    const asked = askOurs(server.url, token, kind, size, 'listStudies')
    say(`worklist, ${kind.name}`, shown(await measure(Number(values.times), asked)))
  }
  for (const key of searched.includes('qido') ? qidoKeys : []) {
    // Some of these take longer together than a token holds.
    const fresh = await server.tokenOf('admin@north.example')
    const [found, lost] = [true, false].map((isThere) => askQido(server.url, fresh, key, size, isThere))
    const times = Number(values.times)
    const both = [found && shown(await measure(times, found)), lost && shown(await measure(times, lost))]
    say(`QIDO ${key.level}, ${key.name}`, both.join('; without results '))
  }
  if (beside) say('uploads beside', `${beside.pace().toFixed(1)} objects/s`)
  await beside?.stop()
  say('memory, ours', `server ${server.memoryMb().toFixed(0)} MB, PostgreSQL ${memoryMb().toFixed(0)} MB`)
}

async function searchOrthanc(size: number): Promise<void> {
  const own = mkdtempSync(join(folder, 'filled-'))
  await (await startOrthanc(own)).stop()
  fillOrthanc(own, size)
  const orthanc = await startOrthanc(own)
  console.log(`\nOrthanc with ${size.toLocaleString('en')} series`.padEnd(39), 'p50 / p99')
  say(
    'Orthanc, empty route',
    shown(await measure(Number(values.times), async () => void (await send(`${orthanc.url}/system`)))),
  )
  for (const kind of kinds) {
    // A tenth as often: it takes longer.
    say(
      `Orthanc, ${kind.name}`,
      shown(await measure(Math.ceil(Number(values.times) / 10), askOrthanc(orthanc.url, kind, size))),
    )
  }
  say('memory, Orthanc', `${orthanc.memoryMb().toFixed(0)} MB`)
  await orthanc.stop()
}

function shown({ p50, p99 }: Latency): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
}

function say(what: string, value: string): void {
  console.log(`${what.padEnd(38)} ${value}`)
}
