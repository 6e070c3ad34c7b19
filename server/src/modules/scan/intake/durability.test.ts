import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangePage } from '@dmp/contract/changes'
import pg from 'pg'
import { northClinic } from '@dmp/contract/examples'
import { openDatabase } from '../../../db/client.ts'
import { testDatabaseUrl } from '../../../settings/settings.ts'
import { demoPassword } from '../../account/demoAccounts.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { segmentObjectStore } from '../../../outside/objectStoreSegments.ts'
import { startChild } from '../../../testing/childServer.ts'
import { prepareFolder } from '../../../testing/prepared.ts'
import { stowBody } from '../../../testing/stow.ts'
import { recoverObjects } from './objectRecovery.ts'

/** More by hand: npm run kills -- 1000 */
const rounds = Number(process.env.DMP_TEST_KILL_ROUNDS ?? 2)
const kinds = (process.env.DMP_TEST_KILL_OBJECTS ?? 'files,segments').split(',')

/** The newest; of many rounds there are more. */
const mostListedTransfers = 100

interface Running {
  readonly process: ChildProcess
  readonly url: string
  readonly startMs: number
}

let folder: string

/** Where the tests have a PostgreSQL, an empty database of its own there; embedded otherwise. */
let databaseUrl: string | undefined
let dropDatabase: () => Promise<void> = async () => undefined

/** What the server keeps objects in. */
let variables: Readonly<Record<string, string>>

async function open(kind: string): Promise<void> {
  variables = kind === 'segments' ? { DMP_APPEND_OBJECTS: '1' } : {}
  folder = mkdtempSync(join(tmpdir(), 'dmp-kill-'))
  const url = testDatabaseUrl()
  if (url === undefined) return prepareFolder(folder)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const address = new URL(url)
  address.pathname = `/dmp_kill_${process.pid}_${kind}`
  await admin.query(`create database ${address.pathname.slice(1)}`)
  databaseUrl = address.href
  dropDatabase = async () => {
    await admin.query(`drop database ${address.pathname.slice(1)} with (force)`)
    await admin.end()
  }
}
async function close(): Promise<void> {
  await dropDatabase()
  rmSync(folder, { recursive: true, force: true })
}

async function start(databaseUrl: string | undefined): Promise<Running> {
  const began = Date.now()
  const { process, ready } = startChild({
    DMP_DEMO: '1',
    DMP_DATA_DIR: folder,
    DMP_LIMIT_FACTOR: '1000',
    // Nobody has time to stop one: they are under way when the server dies.
    DMP_TRANSFER_DELAY_SECONDS: '0',
    ...variables,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  })
  const url = await ready
  return { process, url: url.replace('localhost', '127.0.0.1'), startMs: Date.now() - began }
}

const stopped = (child: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve) => {
    child.on('exit', () => resolve())
    child.kill(signal)
  })

async function signIn(url: string, email = 'admin@north.example'): Promise<Record<string, string>> {
  const reply = await fetch(`${url}/api/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ClientId: 'dmp-web', email, password: demoPassword }),
  })
  const { data } = (await reply.json()) as { data: { accessToken: string } }
  return { authorization: `Bearer ${data.accessToken}` }
}

/** What was answered 2xx and must be there, and what was answered as deleted and must not. */
interface Promised {
  readonly stored: Map<string, Buffer>
  readonly deleted: Set<string>
  transfers: number
}

/** Uploads and deletes until the server is gone. */
async function work(
  { url }: Running,
  headers: Record<string, string>,
  lane: string,
  promised: Promised,
  organizationId: string,
): Promise<void> {
  for (let number = 1; ; number++) {
    const series = `1.20.${lane}.${number}`
    const objects = [1, 2, 3].map((index) => ({
      uid: `${series}.${index}`,
      bytes: dicomFile({
        elements: slice({
          '00080018': text('UI', `${series}.${index}`),
          '0020000D': text('UI', `${series}.0`),
          '0020000E': text('UI', series),
        }),
      }),
    }))
    const send = async (sent: typeof objects): Promise<void> => {
      const { payload, headers: type } = stowBody(sent.map((object) => object.bytes))
      const reply = await fetch(`${url}/dicom-web/studies`, {
        method: 'POST',
        headers: { ...headers, ...type },
        body: new Uint8Array(payload),
      })
      if (reply.status !== 200) throw new Error(`unexpected ${reply.status}`)
      for (const object of sent)
        promised.stored.set(`studies/${series}.0/series/${series}/instances/${object.uid}`, object.bytes)
    }
    try {
      // One by one at the same time, as modalities send: requests share transactions.
      const requests = number % 2 === 0 ? [send(objects)] : objects.map((object) => send([object]))
      const refused = (await Promise.allSettled(requests)).find((result) => result.status === 'rejected')
      if (refused) throw refused.reason
      // Some are on their way to another organization when the server dies.
      if (number % 3 === 1) {
        const transferReply = await fetch(`${url}/api/Scan/transfer/${organizationId}`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({
            scans: [{ studyUID: `${series}.0`, seriesUID: series }],
            dstOrganizationName: 'South-Clinic',
            anonymize: true,
          }),
        })
        if (transferReply.status === 200) promised.transfers += 1
      }
      if (number % 3 !== 0) continue
      // From here on it may be there or not, until the answer says that it is gone.
      for (const object of objects)
        promised.stored.delete(`studies/${series}.0/series/${series}/instances/${object.uid}`)
      const deleteReply = await fetch(`${url}/api/Scan/delete/${organizationId}`, {
        method: 'DELETE',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ seriesIdList: [series] }),
      })
      if (deleteReply.status === 200) promised.deleted.add(`studies/${series}.0`)
    } catch (cause) {
      if (cause instanceof Error && cause.message.startsWith('unexpected')) throw cause
      return
    }
  }
}

/** Every transfer goes on after the last start, to its end: all three images of a series, or a reason. */
async function transfersArrive(url: string, headers: Record<string, string>): Promise<number> {
  const south = await signIn(url, 'admin@south.example')
  for (;;) {
    const { data } = (await (await fetch(`${url}/api/Scan/listTransfers`, { headers })).json()) as {
      data: { finishedDate: string | null; state: string; scans: { newSeriesUID: string }[] }[]
    }
    if (data.some((transfer) => transfer.finishedDate === null)) {
      await new Promise((again) => setTimeout(again, 500))
      continue
    }
    for (const { state, scans } of data) {
      expect(state).toBe('Done')
      const [listedScan] = (await (
        await fetch(`${url}/dicom-web/series?SeriesInstanceUID=${scans[0]?.newSeriesUID}`, { headers: south })
      ).json()) as Record<string, { Value: unknown[] }>[]
      expect(listedScan?.['00201209']?.Value).toEqual([3])
    }
    return data.length
  }
}

/** Follows the changes from a cursor to their end: which series there are by what they say. */
async function follow(url: string, headers: Record<string, string>, told: Told): Promise<void> {
  for (let hasMore = true; hasMore;) {
    const reply = await fetch(`${url}/api/Changes?since=${told.next}&pageSize=5`, { headers })
    const { data } = (await reply.json()) as { data: ChangePage }
    for (const { cursor, kind, seriesUID } of data.changes) {
      expect(told.cursors.has(cursor)).toBe(false)
      told.cursors.add(cursor)
      if (kind === 'SeriesDeleted') told.series.delete(seriesUID)
      else if (kind === 'SeriesCreated') told.series.add(seriesUID)
    }
    ;({ next: told.next, hasMore } = data)
  }
}

interface Told {
  next: string
  readonly cursors: Set<string>
  readonly series: Set<string>
}

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(path, name)).isFile())

describe.each(kinds)('kill −9 during uploads, transfers and deletions, objects in %s [P20, P42, P62, P98]', (kind) => {
  beforeAll(() => open(kind))
  afterAll(close)

  it(
    `keeps every promise in ${rounds} rounds: no half object, no row without file, no file without row [P20]`,
    async () => {
      const promised: Promised = { stored: new Map(), deleted: new Set(), transfers: 0 }
      const told: Told = { next: '0', cursors: new Set(), series: new Set() }
      for (let round = 0; round < rounds; round++) {
        const running = await start(databaseUrl)
        const headers = await signIn(running.url)
        const profile = (await (await fetch(`${running.url}/api/account/profile`, { headers })).json()) as {
          data: { organizationId: string }
        }
        await follow(running.url, headers, told)
        const lanes = [1, 2, 3].map((lane) =>
          work(running, headers, `${round}${lane}`, promised, profile.data.organizationId),
        )
        // Not before there is something to lose, however busy the machine is; then at any moment.
        const promisedCount = promised.stored.size
        while (promised.stored.size - promisedCount < 6 || promised.transfers === 0)
          await new Promise((again) => setTimeout(again, 5))
        await new Promise((done) => setTimeout(done, Math.random() * 900))
        await stopped(running.process, 'SIGKILL')
        await Promise.all(lanes)
      }
      expect(promised.stored.size).toBeGreaterThanOrEqual(rounds * 3)

      const restarted = await start(databaseUrl)
      const headers = await signIn(restarted.url)
      for (const [path, bytes] of promised.stored) {
        const reply = await fetch(`${restarted.url}/dicom-web/${path}`, {
          headers: { ...headers, accept: 'application/dicom' },
        })
        expect([path, reply.status, Buffer.from(await reply.arrayBuffer()).equals(bytes)]).toEqual([path, 200, true])
      }
      const arrived = await transfersArrive(restarted.url, headers)
      expect(arrived).toBeGreaterThanOrEqual(Math.min(promised.transfers, mostListedTransfers))
      for (const path of promised.deleted)
        expect((await fetch(`${restarted.url}/dicom-web/${path}`, { headers })).status).toBe(404)
      // What was told before a kill and behind it is what there is.
      await follow(restarted.url, headers, told)
      await stopped(restarted.process, 'SIGTERM')

      const database = await openDatabase(
        databaseUrl === undefined ? { kind: 'folder', folder } : { kind: 'postgres', url: databaseUrl, poolSize: 1 },
      )
      // Others may be at work in the same PostgreSQL, so that a start leaves what is younger than an hour to the sweep.
      const objects = segmentObjectStore(folder, { appends: false })
      if (databaseUrl !== undefined) await recoverObjects(database.db, objects, 0)
      // What was deleted can be taken back from the bin: its bytes are there, and nobody else's.
      const rows = await database.db
        .selectFrom('instances')
        .select('object_key')
        .unionAll(database.db.selectFrom('bin_instances').select('object_key'))
        .execute()
      const series = await database.db
        .selectFrom('series')
        .select('series_uid')
        .where('organization_id', '=', northClinic.id)
        .execute()
      await database.close()
      const keys: string[] = []
      for await (const { key } of objects.list()) keys.push(key)
      expect(keys.toSorted()).toEqual(rows.map((row) => row.object_key).toSorted())
      expect(existsSync(join(folder, 'segments'))).toBe(kind === 'segments')
      expect(filesBelow(join(folder, 'incoming'))).toEqual([])
      expect([...told.series].toSorted()).toEqual(series.map((row) => row.series_uid).toSorted())
    },
    // Others may use the machine as well.
    180_000 + rounds * 60_000,
  )
})
