import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { audit } from '@dmp/contract'
import type { AuditCheck } from '@dmp/contract/audit'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { record } from '../../db/audit.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { asOwner, listRows } from './chainInTests.ts'
import { walkChains } from './chainWalk.ts'
import { formatHeads, listHeads, toHeadFile } from './heads.ts'
import { toKeyedFile } from './keyedSince.ts'

let server: TestServer
let root: SignedIn
const chain = northClinic.id
const columns = sql.raw('event, outcome, actor_id, organization_id, request_id, address, hash_version, key_id')

beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  for (let n = 0; n < 6; n += 1) await server.signIn('staff')
  await server.signIn('admin@south.example')
  await server.signIn('admin@south.example')
})
afterAll(() => server.close())

const noHeads = (async function* () {})()
const walk = () =>
  walkChains({ db: server.deps.db, keys: server.deps.keys.audit, chain, heads: noHeads, known: undefined })
/** Asks as the screen does, until the walk is over. */
async function check(): Promise<AuditCheck> {
  expect((await root.call(audit.check, {})).status).toBe(200)
  for (;;) {
    const { check: last } = (await root.call(audit.getLastCheck, {})).data
    if (last && last.state !== 'running') return last
    await new Promise((again) => setTimeout(again, 20))
  }
}
const ofNorth = sql`chain = ${chain}`

/** Does it as the owner of the database, and undoes it when it was looked at. */
async function whileForged<T>(forgery: ReturnType<typeof sql>, look: () => Promise<T>): Promise<T> {
  const { db } = server.deps
  await asOwner(db, async () => {
    await sql`drop table if exists audit_before`.execute(db)
    await sql`create table audit_before as select * from audit`.execute(db)
    await forgery.execute(db)
  })
  try {
    return await look()
  } finally {
    await asOwner(db, async () => {
      await sql`delete from audit where chain in (${chain}, ${southClinic.id})`.execute(db)
      await sql`insert into audit select * from audit_before where chain in (${chain}, ${southClinic.id})`.execute(db)
      await sql`drop table audit_before`.execute(db)
    })
  }
}

/** What somebody with all rights in the database, but without the key, could try. */
const forgeries = {
  'a record before all others': [
    sql`insert into audit (id, chain, position, at, subject, previous_hash, hash, ${columns})
      select gen_random_uuid(), chain, -2147483648, at, subject, '', hash, ${columns}
      from audit where ${ofNorth} and position = 3`,
    -2147483648,
  ],
  'a date that never comes': [sql`update audit set at = 'infinity' where ${ofNorth} and position = 2`, 2],
  'a date before all others': [sql`update audit set at = '-infinity' where ${ofNorth} and position = 2`, 2],
  'a date that no program can hold': [sql`update audit set at = '294000-01-01' where ${ofNorth} and position = 2`, 2],
  'a subject of five thousand levels': [
    sql`update audit set subject = ('{"levels":' || repeat('[', 5000) || repeat(']', 5000) || '}')::jsonb where ${ofNorth} and position = 4`,
    4,
  ],
  'a hash that is empty': [sql`update audit set hash = '', at = 'infinity' where ${ofNorth} and position = 4`, 4],
  'a version that does not exist': [
    sql`update audit set hash_version = 9, key_id = null where ${ofNorth} and position = 4`,
    4,
  ],
  'two records that changed places': [
    sql`update audit set (event, subject, actor_id, at, request_id, address, hash, previous_hash)
      = (select event, subject, actor_id, at, request_id, address, hash, previous_hash
        from audit as other where other.chain = audit.chain and other.position = 7 - audit.position)
      where ${ofNorth} and position in (3, 4)`,
    3,
  ],
  'a record of another organization': [
    sql`update audit set (event, outcome, actor_id, organization_id, subject, hash, id, key_id)
      = (select event, outcome, actor_id, organization_id, subject, hash, gen_random_uuid(), key_id
        from audit as other where other.chain = ${southClinic.id} and other.position = 1)
      where ${ofNorth} and position = 3`,
    3,
  ],
} satisfies Record<string, readonly [ReturnType<typeof sql>, number]>

describe('the owner of the database who has no key', () => {
  it('changed nothing at first [P24]', async () => {
    expect((await listRows(server.deps.db, chain)).length).toBeGreaterThan(5)
    expect((await walk()).breaks).toEqual([])
  })
  it.each(Object.entries(forgeries))(
    'who writes %s is found at that record [P24]',
    async (_what, [forgery, position]) => {
      const [first] = await whileForged(forgery, async () => (await walk()).breaks)
      expect(first).toMatchObject({ chain, position })
    },
  )

  it('who swaps an empty list and an empty object is found at that record [P24]', async () => {
    const request = { id: 'of a test', ip: '10.0.0.1' }
    await server.deps.db.transaction().execute(async (trx) => {
      const entry = { event: 'SetupTested', organizationId: chain, subject: { list: [], object: {} } } as const
      await record({ trx, keys: server.deps.keys.audit }, null, request, entry)
    })
    const { position } = (await listRows(server.deps.db, chain)).at(-1) ?? {}
    const swapped = sql`update audit set subject = '{"list": {}, "object": []}' where ${ofNorth} and position = ${position}`
    expect((await walk()).breaks).toEqual([])
    expect((await whileForged(swapped, walk)).breaks).toEqual([{ chain, kind: 'altered', position }])
  })

  it('is found by the check of the screen as well, and by the one after it was undone nothing is [P24]', async () => {
    const found = await whileForged(forgeries['a date that never comes'][0], check)
    expect([found.state, found.breaks[0]?.organization, found.breaks[0]?.position]).toEqual([
      'broken',
      northClinic.name,
      2,
    ])
    expect((await check()).state).toBe('intact')
  })
})

describe('what the screen says of a break, and what to do about it', () => {
  const keep = /^Do not change the database, keep the log/
  const restored = /^If the database was restored from a backup, this is expected/
  let last: number
  beforeAll(async () => {
    const { db, keys, settings } = server.deps
    last = (await listRows(db, chain)).length
    // As every hour does.
    await appendFile(toHeadFile(settings), formatHeads(await listHeads(db, keys.audit)))
  })

  it.each<[string, () => ReturnType<typeof sql>, string | RegExp, RegExp]>([
    ['one is gone', () => sql`delete from audit where ${ofNorth} and position = 3`, 'Record 3 is missing.', keep],
    [
      'some are gone',
      () => sql`delete from audit where ${ofNorth} and position between 3 and 5`,
      'Records 3 to 5 are missing.',
      keep,
    ],
    [
      'the newest are gone',
      () => sql`delete from audit where ${ofNorth} and position > 3`,
      /^The newest records were deleted: the chain had \d+ records on 20.+Z, and record 4 is no longer there\.$/,
      restored,
    ],
    [
      'all are gone',
      () => sql`delete from audit where ${ofNorth}`,
      /^The whole chain was deleted: it had \d+ records on 20.+Z\.$/,
      restored,
    ],
    [
      'the newest is another one',
      () => sql`update audit set hash = repeat('f', 64) where ${ofNorth} and position = ${last}`,
      /^Record \d+ is not the one that was there on 20.+Z: the chain was written anew\.$/,
      restored,
    ],
    [
      'one was made with a key that is not there',
      () => sql`update audit set key_id = 'ffffffffffff' where ${ofNorth} and position = 3`,
      'Record 3 was made with the key ffffffffffff, which this server does not have.',
      /^Add the earlier secret to DMP_AUDIT_KEYS and check again\./,
    ],
    [
      'one has no key',
      () => sql`update audit set hash_version = 1, key_id = null where ${ofNorth} and position = 3`,
      /^Record 3 has no key although it is younger than the keys:/,
      /^If the database was restored from a backup of before the keys, move audit-keyed\.json/,
    ],
  ])('fits where %s [P24]', async (_what, forgery, text, advice) => {
    const { breaks } = await whileForged(forgery(), check)
    expect(breaks).toContainEqual(
      expect.objectContaining({
        text: expect.stringMatching(text) as unknown,
        advice: expect.stringMatching(advice) as unknown,
      }),
    )
  })

  it('fits where the data folder remembers what nobody wrote [P24]', async () => {
    const file = toKeyedFile(server.deps.settings)
    const before = await readFile(file)
    await writeFile(file, '{}')
    const { breaks } = await check()
    await writeFile(file, before)
    expect(breaks).toMatchObject([
      {
        organization: 'the platform',
        text: expect.stringMatching(
          /^The file audit-keyed\.json in the data folder was not written by this platform/,
        ) as unknown,
        advice: expect.stringMatching(/^Add the earlier secret to DMP_AUDIT_KEYS, or put the file back/) as unknown,
      },
    ])
  })
})
