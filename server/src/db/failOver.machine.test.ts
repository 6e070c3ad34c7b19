import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { callsAt, objectOf, type OutsideCalls } from '../testing/callsFromOutside.ts'
import { startChild, type Child } from '../testing/childServer.ts'
import { startPostgresCluster, type PostgresCluster } from '../testing/postgresCluster.ts'
import type { AuditEntry } from './audit.ts'
import { createAuditKeys } from './auditHash.ts'
import { openDatabase, insideTransaction, type Database } from './client.ts'
import { createWriter, type WriteContext, type Writer } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-fail-over-'))
let primary: PostgresCluster
let standby: PostgresCluster
let url: string
const children: Child[] = []
const servers: OutsideCalls[] = []

beforeAll(async () => {
  primary = await startPostgresCluster()
  standby = await startPostgresCluster(primary)
  // The one that takes no writes comes first.
  url = standby.url.replace('/postgres', `,${new URL(primary.url).host}/postgres?target_session_attrs=read-write`)
  for (let count = 0; count < 2; count += 1) {
    const child = startChild({
      DMP_DEMO: '1',
      DMP_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: url,
      DMP_DISK_NOTICE_MB: '0',
    })
    children.push(child)
    servers.push(callsAt((await child.ready).replace('localhost', '127.0.0.1')))
  }
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  standby.close()
  primary.close()
  rmSync(folder, { recursive: true, force: true })
})

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((again) => setTimeout(again, 50))
}
const countScans = async (address: string): Promise<number> => {
  const database = await openDatabase({ kind: 'postgres', url: address, poolSize: 1 })
  try {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from instances`.execute(database.db)
    return rows[0]?.n ?? 0
  } finally {
    await database.close()
  }
}

describe('servers with two hosts in DATABASE_URL', () => {
  it('keep what they answered for, and everybody’s session, when the one that takes writes is gone [P12, P86]', async () => {
    const headers = await servers[0]!.signIn('admin@south.example')
    const other = JSON.parse((await servers[1]!.login()).text) as { data: Record<string, string> }
    const refused = new Set<number>()
    const store = async (nth: number): Promise<void> => {
      const send = async () => (await servers[nth % 2]!.stow(headers, [objectOf(`1.86.${nth}`, 1)])).status
      for (let status = await send(); status !== 200; status = await send()) refused.add(status)
    }
    const before = Array.from({ length: 12 }, (_, nth) => store(nth))
    await Promise.race(before)
    primary.crash()
    const meanwhile = Array.from({ length: 12 }, (_, nth) => store(12 + nth))
    standby.promote()
    await Promise.all([...before, ...meanwhile])
    expect([...refused].filter((status) => status !== 503)).toEqual([])
    for (let nth = 0; nth < 24; nth += 1) {
      const path = `/dicom-web/studies/1.86.${nth}/series/1.86.${nth}.1/instances/1.86.${nth}.1.1`
      await until(async () => (await servers[(nth + 1) % 2]!.ask('GET', path, headers)).status === 200)
    }
    // The news of an ended session go where both hear them.
    const { accessToken, refreshToken } = other.data
    const signedIn = { authorization: `Bearer ${accessToken}` }
    await until(async () => (await servers[0]!.ask('GET', '/api/account/profile', signedIn)).status === 200)
    expect((await servers[1]!.ask('POST', '/api/account/logout', {}, { refreshToken })).status).toBe(200)
    await until(async () => (await servers[0]!.ask('GET', '/api/account/profile', signedIn)).status === 401)
  })

  it('write nothing to one that comes back and knows of no fail-over [P86]', async () => {
    primary.restart()
    const left = await countScans(primary.url)
    const headers = await servers[0]!.signIn('admin@south.example')
    const kept = await countScans(standby.url)
    for (const [at, server] of servers.entries())
      expect((await server.stow(headers, [objectOf(`1.87.${at}`, 1)])).status).toBe(200)
    expect([await countScans(primary.url), await countScans(standby.url)]).toEqual([left, kept + 2])
    // Nor does a server that starts only now.
    expect(await countScans(url)).toBe(kept + 2)
  })

  it('have an intact chain of records afterwards [P24, P86]', async () => {
    const walk = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: join(folder, 'data'), DATABASE_URL: url }, 'admin.ts', [
      'audit',
    ])
    expect((await walk.ended).out).toContain('All records are intact.')
  })

  it('say at the start which hosts they asked, and not by which password', async () => {
    const nobody = 'postgres://dmp:secret@127.0.0.1:1,127.0.0.1:2/dmp'
    const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: join(folder, 'other'), DATABASE_URL: nobody })
    const { code, errors } = await child.ended
    expect(code).toBe(1)
    expect(errors).toContain('The database dmp at 127.0.0.1:1, 127.0.0.1:2 does not respond (none of the hosts takes')
    expect(errors).not.toContain('secret')
  })

  it('refuse an address that wants a host without writes', async () => {
    const child = startChild({
      DMP_DEMO: '1',
      DMP_DATA_DIR: join(folder, 'other'),
      DATABASE_URL: `${primary.url}?target_session_attrs=standby`,
    })
    const { code, errors } = await child.ended
    expect([code, errors]).toEqual([1, expect.stringContaining('target_session_attrs=read-write')])
  })
})

describe('a write', () => {
  let database: Database
  let write: Writer
  const context: WriteContext = { request: { id: 'r-86', ip: '203.0.113.86' } }
  const entry: AuditEntry = { event: 'SignedOut', subject: {} }
  const count = async (table: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(database.db)
    return rows[0]?.n ?? 0
  }
  const endLine = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(database.db)

  beforeAll(async () => {
    database = await openDatabase({ kind: 'postgres', url: standby.url, poolSize: 4 })
    write = createWriter(database.db, createAuditKeys(['of a test only']))
    await sql`create table tries (n int primary key)`.execute(database.db)
    await sql`insert into tries values (0), (1)`.execute(database.db)
  })
  afterAll(() => database.close())

  it('whose line breaks before its commit runs again, and is there once with its record and what follows [P86]', async () => {
    const records = await count('audit')
    const seen: string[] = []
    await write(context, async ({ trx, audit, afterwards }) => {
      seen.push('runs')
      await sql`insert into tries values (2)`.execute(trx)
      await audit(entry)
      afterwards(() => seen.push('afterwards'))
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      if (seen.length === 1) await insideTransaction.exit(() => endLine(rows[0]?.pid ?? 0))
      await sql`select 1`.execute(trx)
    })
    expect(seen).toEqual(['runs', 'runs', 'afterwards'])
    expect([await count('tries'), await count('audit')]).toEqual([3, records + 1])
  })

  it('that PostgreSQL undoes for another one, because each waits for the other, runs again [P86]', async () => {
    const bothHold = Promise.withResolvers<void>()
    let holding = 0
    let runs = 0
    const change = (first: number, then: number) =>
      write(context, async ({ trx, audit }) => {
        runs += 1
        await sql`update tries set n = n where n = ${first}`.execute(trx)
        holding += 1
        if (holding === 2) bothHold.resolve()
        await bothHold.promise
        await sql`update tries set n = n where n = ${then}`.execute(trx)
        await audit(entry)
      })
    await Promise.all([change(0, 1), change(1, 0)])
    expect(runs).toBe(3)
  })

  it('whose commit is not answered is not repeated: nobody knows whether it happened [P86]', async () => {
    await sql`create function cut() returns trigger language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`.execute(database.db)
    await sql`create constraint trigger cut after insert on tries deferrable initially deferred
      for each row execute function cut()`.execute(database.db)
    let runs = 0
    const writing = write(context, async ({ trx, audit }) => {
      runs += 1
      await sql`insert into tries values (3)`.execute(trx)
      await audit(entry)
    })
    await expect(writing).rejects.toThrow(/terminat|connection/i)
    expect(runs).toBe(1)
  })
})
