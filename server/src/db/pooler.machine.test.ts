import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { callsAt, objectOf, type OutsideCalls } from '../testing/callsFromOutside.ts'
import { startChild, type Child } from '../testing/childServer.ts'
import { startPooler, type Pooler } from '../testing/pooler.ts'
import { startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'
import { openDatabase } from './client.ts'
import { patiently } from './patience.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-pooled-'))
let cluster: PostgresCluster
let pooler: Pooler
const children: Child[] = []

/** A server behind the pooler. */
async function start(): Promise<OutsideCalls> {
  const child = startChild({
    DMP_DEMO: '1',
    DMP_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: cluster.url,
    DMP_DISK_NOTICE_MB: '0',
  })
  children.push(child)
  return callsAt((await child.ready).replace('localhost', '127.0.0.1'))
}

beforeAll(async () => {
  cluster = await startPostgresCluster()
  pooler = await startPooler(cluster.url)
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await pooler.close()
  cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((again) => setTimeout(again, 50))
}

describe('servers behind a pooler that gives each transaction another connection', () => {
  it('take in and find scans, end sessions of each other, and share the limits of accounts [P67]', async () => {
    const [here, there] = [await start(), await start()]
    const { data } = JSON.parse((await here.login()).text) as { data: { accessToken: string; refreshToken: string } }
    const headers = { authorization: `Bearer ${data.accessToken}` }
    // More at once than the pooler has connections.
    const sent = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => here.stow(headers, [objectOf('1.96', number)])),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const found = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? here : there).ask('GET', '/dicom-web/studies', headers)),
    )
    expect(found.map(({ status, text }) => [status, text.includes('1.96')])).toEqual(Array(40).fill([200, true]))

    const { refreshToken } = data
    expect((await here.ask('POST', '/api/account/logout', {}, { refreshToken })).status).toBe(200)
    await until(async () => (await there.ask('GET', '/api/account/profile', headers)).status === 401)

    const wrong = { ClientId: 'dmp-web', email: 'staff@north.example', password: 'Not The Passw0rd!' }
    const answers: number[] = []
    for (let tries = 0; tries < 12; tries += 1)
      answers.push((await (tries % 2 ? here : there).ask('POST', '/api/account/login', {}, wrong)).status)
    expect(answers).toContain(429)
  })

  it('go on when it is restarted, and nobody is signed out [P67]', async () => {
    const calls = callsAt((await children[0]!.ready).replace('localhost', '127.0.0.1'))
    const headers = await calls.signIn('admin@south.example')
    await pooler.restart()
    const answers: number[] = []
    await until(async () => {
      const { status } = await calls.ask('GET', '/dicom-web/studies', headers)
      answers.push(status)
      return status === 200
    })
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await calls.stow(headers, [objectOf('1.97', 1)])).status).toBe(200)
  })

  it('keep what they answered for, and the chain of it, when connections are cut in the middle [P12, P24, P67]', async () => {
    const calls = await Promise.all(
      children.slice(0, 2).map(async ({ ready }) => callsAt((await ready).replace('localhost', '127.0.0.1'))),
    )
    const headers = await calls[0]!.signIn('admin@south.example')
    const direct = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 1 })
    try {
      const cutting = (async () => {
        for (let cuts = 0; cuts < 20; await new Promise((again) => setTimeout(again, 50))) {
          const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where pid <> pg_backend_pid() and application_name like 'dmp%'
            order by state = 'idle', random() limit 1`.execute(direct.db)
          cuts += rows.length
        }
      })()
      const refused = new Set<number>()
      await Promise.all(
        Array.from({ length: 24 }, async (_, nth) => {
          const send = async () => (await calls[nth % 2]!.stow(headers, [objectOf(`1.98.${nth}`, 1)])).status
          for (let status = await send(); status !== 200; status = await send()) refused.add(status)
        }),
      )
      await cutting
      expect([...refused].filter((status) => status !== 503)).toEqual([])
      for (let nth = 0; nth < 24; nth += 1) {
        const path = `/dicom-web/studies/1.98.${nth}/series/1.98.${nth}.1/instances/1.98.${nth}.1.1`
        await until(async () => (await calls[(nth + 1) % 2]!.ask('GET', path, headers)).status === 200)
      }
      const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and granted
        and pid in (select pid from pg_stat_activity where state = 'idle')`.execute(direct.db)
      expect(rows).toEqual([])
    } finally {
      await direct.close()
    }
    const walk = startChild(
      {
        DMP_DEMO: '1',
        DMP_DATA_DIR: join(folder, 'data'),
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: cluster.url,
      },
      'admin.ts',
      ['audit'],
    )
    expect((await walk.ended).out).toContain('All records are intact.')
  })

  it('say at the start that the address of the database is missing [P67]', async () => {
    const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: join(folder, 'other'), DATABASE_DIRECT_URL: cluster.url })
    const { code, errors } = await child.ended
    expect([code, errors]).toEqual([1, expect.stringContaining('DATABASE_DIRECT_URL is set without DATABASE_URL.')])
  })
})

it('a statement that ends while the wish to cancel it is on its way takes nobody else’s with it [P67]', async () => {
  const { port } = new URL(pooler.url)
  // The first line is that of the statements, the second one that of the wish.
  let lines = 0
  const slowRoad = createServer((from) => {
    const delayMs = lines === 0 ? 0 : 300
    lines += 1
    const to = connect(Number(port), '127.0.0.1')
    from.on('data', (bytes) => void setTimeout(() => to.write(bytes), delayMs)).on('error', () => undefined)
    from.on('close', () => void setTimeout(() => to.end(), delayMs))
    to.pipe(from)
    to.on('error', () => undefined)
  })
  await new Promise<void>((listening) => slowRoad.listen(0, '127.0.0.1', listening))
  const url = pooler.url.replace(port, String((slowRoad.address() as AddressInfo).port))
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 1, isPooled: true })
  try {
    // The wish goes out after half a second and arrives when the statement has ended.
    await patiently(() => sql`select pg_sleep(0.6)`.execute(database.db), 1 / 60).catch(() => undefined)
    const { rows } = await sql`select 'mine' as whose from pg_sleep(0.5)`.execute(database.db)
    expect(rows).toEqual([{ whose: 'mine' }])
  } finally {
    await database.close()
    slowRoad.close()
  }
})

it('a statement that takes too long is cancelled through the pooler, and leaves nothing behind in a session [P67]', async () => {
  const database = await openDatabase({ kind: 'postgres', url: pooler.url, poolSize: 6, isPooled: true })
  try {
    const endless = () =>
      patiently(
        () => sql`select count(*) from generate_series(1, 1000000000000) as endless`.execute(database.db),
        1 / 60,
      )
    // As many as there are connections: were one of them left running, nobody else would come through.
    const ended = await Promise.allSettled([endless(), endless(), endless()])
    expect(ended.map((one) => (one.status === 'rejected' ? (one.reason as { code?: string }).code : 'done'))).toEqual(
      Array(3).fill('57014'),
    )
    // PostgreSQL says that it ended one a moment before it has.
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
        and query like '%endless%'`.execute(database.db)
      return rows.length === 0
    })
    const { rows } = await sql`select current_setting('statement_timeout') as ms`.execute(database.db)
    expect(rows).toEqual([{ ms: '0' }])
  } finally {
    await database.close()
  }
})
