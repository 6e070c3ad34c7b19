import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { sql } from 'kysely'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { callsAt, objectOf, type OutsideCalls } from '../testing/callsFromOutside.ts'
import { startChild, type Child } from '../testing/childServer.ts'
import { findPort, startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'
import { openDatabase, type Database } from './client.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-replicas-'))
let primary: PostgresCluster
let copy: PostgresCluster
/** A PostgreSQL of something else, named by mistake. */
let stranger: PostgresCluster
let replica: Database
const children: Child[] = []
const metricsPorts: number[] = []
let here: OutsideCalls
let there: OutsideCalls
type Headers = Record<string, string>
let admin: Headers
let staff: Headers
let south: Headers

async function start(): Promise<OutsideCalls> {
  const port = await findPort()
  metricsPorts.push(port)
  const child = startChild({
    DMP_DEMO: '1',
    DMP_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: copy.url.replace('/postgres', `,${new URL(stranger.url).host}/postgres`),
    DMP_DISK_NOTICE_MB: '0',
    DMP_LIMIT_FACTOR: '100',
    DMP_METRICS_PORT: String(port),
  })
  children.push(child)
  return callsAt((await child.ready).replace('localhost', '127.0.0.1'))
}

beforeAll(async () => {
  ;[primary, stranger] = await Promise.all([startPostgresCluster(), startPostgresCluster()])
  copy = await startPostgresCluster(primary, true)
  replica = await openDatabase({ kind: 'postgres', url: copy.url, poolSize: 1 })
  here = await start()
  there = await start()
  admin = await here.signIn('admin@north.example')
  staff = await here.signIn('staff@north.example')
  south = await here.signIn('admin@south.example')
  expect((await here.stow(south, [objectOf('1.94.2', 1)])).status).toBe(200)
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await replica.close()
  stranger.close()
  copy.close()
  primary.close()
  rmSync(folder, { recursive: true, force: true })
})

const nap = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms))
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await nap(50)
}

const metricOf = async (server: number, line: string): Promise<number> => {
  const ask = () => fetch(`http://127.0.0.1:${metricsPorts[server]}/metrics`)
  // While this process waits for a program of PostgreSQL, the line that it kept open is closed.
  const text = await (await ask().catch(ask)).text()
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return Number(found?.slice(line.length))
}
const isState = async (state: string): Promise<boolean> =>
  (await metricOf(0, `dmp_replicas{state="${state}"}`)) === 1 &&
  (await metricOf(1, `dmp_replicas{state="${state}"}`)) === 1
/** It has everything so far, and gets nothing more; after ten seconds with changes it is left out. */
async function standStill(): Promise<void> {
  await sql`select pg_wal_replay_resume()`.execute(replica.db)
  await until(() => isState('used'))
  await sql`select pg_wal_replay_pause()`.execute(replica.db)
}
const countReads = async (): Promise<number> =>
  (await metricOf(0, 'dmp_replica_reads_total{state="replica"}')) +
  (await metricOf(1, 'dmp_replica_reads_total{state="replica"}'))

const dataOf = async <T>(calls: OutsideCalls, who: Headers, path: string): Promise<T[]> => {
  const { status, text } = await calls.ask('GET', path, who)
  expect([path, status]).toEqual([path, 200])
  return (JSON.parse(text) as { data: T[] }).data
}
const studiesOf = async (calls: OutsideCalls, who: Headers): Promise<string[]> => {
  const { status, text } = await calls.ask('GET', '/dicom-web/studies', who)
  expect(status).toBe(200)
  return (JSON.parse(text) as Record<string, { Value: string[] }>[]).map((row) => row['0020000D']?.Value[0] ?? '')
}
const seriesOf = async (calls: OutsideCalls, who: Headers): Promise<string[]> =>
  (await dataOf<{ seriesUID: string }>(calls, who, '/api/Scan/list?page=1&pageSize=100')).map((row) => row.seriesUID)
const worklistOf = async (calls: OutsideCalls, who: Headers): Promise<Map<string, boolean>> =>
  new Map(
    (await dataOf<{ studyUID: string; isNew: boolean }>(calls, who, '/api/Scan/listStudies?page=1&pageSize=100')).map(
      (row) => [row.studyUID, row.isNew],
    ),
  )

describe('servers with a replica', () => {
  it('read lists and searches from it, and answer everybody with what they wrote, at any server, while it stands still [P94]', async () => {
    await until(() => isState('used'))
    const readBefore = await countReads()
    await until(async () => (await studiesOf(here, staff)).length > 0 && (await countReads()) > readBefore)
    await standStill()
    expect((await here.stow(admin, [objectOf('1.94.1', 1)])).status).toBe(200)
    const added = await here.ask('POST', '/api/Complaint/add', admin, {
      typeId: (await dataOf<{ id: string }>(here, admin, '/api/Complaint/listTypes'))[0]?.id,
      moduleId: moduleIds.Scan,
      description: 'Written while the replica stands still',
    })
    expect(added.status).toBe(200)
    for (const calls of [here, there]) {
      expect(await studiesOf(calls, admin)).toContain('1.94.1')
      expect(await seriesOf(calls, admin)).toContain('1.94.1.1')
      expect((await worklistOf(calls, admin)).get('1.94.1')).toBe(true)
      const events = await dataOf<{ event: string }>(calls, admin, '/api/Audit/list?page=1&pageSize=10')
      expect(events.map(({ event }) => event)).toContain('ScansUploaded')
      const complaints = await dataOf<{ description: string }>(calls, admin, '/api/Complaint/list?page=1&pageSize=50')
      expect(complaints.map(({ description }) => description)).toContain('Written while the replica stands still')
    }
    // By one server it was opened, by the other one it is listed.
    const opened = `/api/Scan/get?organizationId=${northClinic.id}&seriesUID=1.94.1.1`
    expect((await here.ask('GET', opened, admin)).status).toBe(200)
    expect((await worklistOf(there, admin)).get('1.94.1')).toBe(false)
  })

  it('answer a program with everything that the feed of changes has told it [P94]', async () => {
    const draft = { name: 'Archive', scopes: ['read'], password: demoPassword }
    const made = await here.ask('POST', '/api/ApiToken/add', admin, draft)
    const { data } = JSON.parse(made.text) as { data: { token: string } }
    const machine = { authorization: `Bearer ${data.token}` }
    await standStill()
    expect((await here.stow(admin, [objectOf('1.94.3', 1)])).status).toBe(200)
    const feed = await there.ask('GET', '/api/Changes?since=0', machine)
    expect([feed.status, feed.text.includes('1.94.3')]).toEqual([200, true])
    expect(await studiesOf(there, machine)).toContain('1.94.3')
  })

  it('may show others what was there a moment ago, and nobody anything of another organization [P02, P94]', async () => {
    await standStill()
    expect((await here.stow(admin, [objectOf('1.94.4', 1)])).status).toBe(200)
    const shown = await studiesOf(there, staff)
    expect(shown).toContain('1.94.1')
    expect(shown).not.toContain('1.94.4')
    expect(shown).not.toContain('1.94.2')
    expect(await studiesOf(there, south)).toContain('1.94.2')
    expect(await studiesOf(there, south)).not.toContain('1.94.1')
    const elsewhere = await there.ask('GET', `/dicom-web/studies?organizationId=${northClinic.id}`, south)
    expect(elsewhere.status).toBe(404)
    const list = await there.ask('GET', `/api/Scan/list?page=1&pageSize=10&organizationId=${southClinic.id}`, staff)
    expect(list.status).toBe(404)
  })

  it('judge everybody by what is so now: whoever signs out is out everywhere at once [P11, P94]', async () => {
    const { data } = JSON.parse((await here.login('staff@north.example')).text) as {
      data: { accessToken: string; refreshToken: string }
    }
    const headers = { authorization: `Bearer ${data.accessToken}` }
    expect((await there.ask('GET', '/dicom-web/studies', headers)).status).toBe(200)
    expect((await here.ask('POST', '/api/account/logout', {}, { refreshToken: data.refreshToken })).status).toBe(200)
    await nap(1000)
    for (const path of ['/dicom-web/studies', '/api/Scan/list?page=1'])
      expect((await there.ask('GET', path, headers)).status).toBe(401)
  })

  it('read from no server that is not a copy of theirs [P94]', async () => {
    expect(await isState('wrong')).toBe(true)
  })

  it('leave it out when it is far behind, and take it again when it has caught up [P94]', async () => {
    await standStill()
    expect((await here.stow(admin, [objectOf('1.94.5', 1)])).status).toBe(200)
    await until(() => isState('behind'))
    expect(await studiesOf(there, staff)).toContain('1.94.5')
    await sql`select pg_wal_replay_resume()`.execute(replica.db)
    await until(() => isState('used'))
    const before = await countReads()
    await until(async () => (await studiesOf(there, staff)).includes('1.94.5') && (await countReads()) > before)
  })

  it('go on without a failed call when it is killed, stands still with its machine, or takes writes itself [P94]', async () => {
    let isOver = false
    const answers: number[] = []
    let slowestMs = 0
    const looking = [here, there].flatMap((calls) =>
      [admin, staff, south].map(async (who) => {
        while (!isOver) {
          for (const path of ['/dicom-web/studies', '/api/Scan/listStudies?page=1&pageSize=50']) {
            const began = performance.now()
            answers.push((await calls.ask('GET', path, who)).status)
            slowestMs = Math.max(slowestMs, performance.now() - began)
          }
          await nap(20)
        }
      }),
    )
    copy.crash()
    await until(() => isState('unreachable'))
    copy.restart()
    await until(() => isState('used'))
    copy.freeze()
    await until(() => isState('unreachable'))
    copy.thaw()
    await until(() => isState('used'))
    copy.promote()
    await until(() => isState('promoted'))
    isOver = true
    await Promise.all(looking)
    expect(answers.filter((status) => status !== 200)).toEqual([])
    expect(answers.length).toBeGreaterThan(50)
    // A replica that hangs is found out within two looks of at most two seconds.
    expect(slowestMs).toBeLessThan(7000)
  })
})
