import { readFileSync, writeFileSync } from 'node:fs'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { createAuditKeys, signHead, type AuditHead } from '../../db/auditHash.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { appendUnkeyed, asOwner, foundIn, hashAnew, listRows } from './chainInTests.ts'
import { walkChains } from './chainWalk.ts'
import { coverUnkeyedRows } from './chainKeeping.ts'
import { listHeads } from './heads.ts'
import { readKeyedSince, toKeyedFile, type KnownKeyed } from './keyedSince.ts'

let server: TestServer
let heads: AuditHead[]
/** What the data folder remembers; nothing, as before the first start of this version, unless a test says so. */
let known: KnownKeyed
const chain = northClinic.id
/** Columns of a record beside its place and its hashes. */
const others = 'event, outcome, actor_id, organization_id, request_id, address, hash_version, key_id'
const days = (count: number) => new Date(Date.now() - count * 86_400_000)

beforeEach(async () => {
  server = await startServer()
  known = undefined
  for (let n = 0; n < 9; n += 1) await server.signIn('staff')
  await server.signIn('admin@south.example')
  heads = await listHeads(server.deps.db, server.deps.keys.audit)
})
afterEach(() => server.close())

const walk = (knownHeads = heads, keys = server.deps.keys.audit, only?: string) =>
  walkChains({ db: server.deps.db, keys, chain: only, heads: foundIn(knownHeads), known })
const kinds = async (...args: Parameters<typeof walk>) =>
  (await walk(...args)).breaks.map(({ chain: broken, kind, position }) => [broken === chain, kind, position])
const db = () => server.deps.db
const countRows = async () => (await listRows(db(), chain)).length
const changeRow = (position: number, change: object) =>
  db().updateTable('audit').set(change).where('chain', '=', chain).where('position', '=', position).execute()
const deleteRows = (from: number, to: number) =>
  db()
    .deleteFrom('audit')
    .where('chain', '=', chain)
    .where('position', '>=', from)
    .where('position', '<=', to)
    .execute()

describe('a walk over all audit chains', () => {
  it('finds everything intact that nobody touched, also while it goes on [P24]', async () => {
    await server.signIn('staff')
    const verdict = await walk()
    expect(verdict).toMatchObject({ breakCount: 0, breaks: [], heads: heads.length })
    expect(verdict.rows).toBe((await db().selectFrom('audit').select('id').execute()).length)
    expect(await kinds(heads, undefined, chain)).toEqual([])
  })

  it('ends between two chains when it is stopped, as a server is that ends', async () => {
    const stop = new AbortController()
    const rows: number[] = []
    const stopped = walkChains({
      db: db(),
      keys: server.deps.keys.audit,
      heads: foundIn(heads),
      known,
      signal: stop.signal,
      onRows: (count) => {
        rows.push(count)
        stop.abort(new Error('The server ends.'))
      },
    })
    await expect(stopped).rejects.toThrow('The server ends.')
    expect(rows).toHaveLength(1)
  })

  it.each([1, 2] as const)(
    'names the first record that was given another actor, though all were hashed anew as version %d [P24]',
    async (version) => {
      await asOwner(db(), async () => {
        await changeRow(4, { actor_id: null })
        await hashAnew(db(), chain, 4, version)
        // Long after the upgrade.
        await db()
          .updateTable('audit')
          .set({ at: days(3) })
          .where('chain', '!=', chain)
          .where('position', '=', 1)
          .execute()
      })
      const [first] = await kinds([], undefined, chain)
      expect(first).toEqual([true, version === 1 ? 'unkeyed' : 'altered', 4])
      // The heads tell it even of a chain that was made anew from its first record on.
      expect(await kinds()).toContainEqual([true, 'rewritten', await countRows()])
    },
  )

  it('names a record whose content was changed, and one that was replaced as a whole [P24]', async () => {
    await asOwner(db(), () => changeRow(4, { subject: {} }))
    expect(await kinds()).toEqual([[true, 'altered', 4]])
    await asOwner(db(), () => changeRow(4, { hash: 'f'.repeat(64) }))
    expect(await kinds()).toEqual([
      [true, 'altered', 4],
      [true, 'unlinked', 5],
    ])
  })

  it('names records that are missing in the middle [P24]', async () => {
    await asOwner(db(), () => deleteRows(3, 5))
    expect((await walk()).breaks).toEqual([{ chain, kind: 'missing', position: 3, upTo: 5 }])
  })

  it('names the five newest that were deleted, also after the chain went on [P24]', async () => {
    const count = await countRows()
    await asOwner(db(), () => deleteRows(count - 4, count))
    expect(await kinds([])).toEqual([])
    expect((await walk()).breaks).toMatchObject([{ chain, kind: 'newest deleted', position: count - 4, upTo: count }])
    for (let n = 0; n < 6; n += 1) await server.signIn('staff')
    const later = await listHeads(db(), server.deps.keys.audit)
    expect(await kinds([...heads, ...later])).toEqual([[true, 'rewritten', count]])
  })

  it('names a chain that was deleted altogether [P24]', async () => {
    const count = await countRows()
    await asOwner(db(), () => deleteRows(1, count))
    expect((await walk()).breaks).toMatchObject([{ chain, kind: 'chain deleted', position: 1, upTo: count }])
    expect(await kinds(heads, undefined, chain)).toHaveLength(1)
  })

  it('names with a number of records the head that says it, whichever came first [P24]', async () => {
    const { keys } = server.deps
    const known = { chain: 'gone', hash: 'f'.repeat(64) }
    const [few, many] = [4, 53].map((position) => signHead({ ...known, position, at: `at ${position}` }, keys.audit))
    if (few === undefined || many === undefined) throw new Error('No heads.')
    for (const given of [
      [few, many],
      [many, few],
    ])
      expect((await walk(given)).breaks).toMatchObject([{ kind: 'chain deleted', upTo: 53, headAt: 'at 53' }])
  })

  it('names of several records that were rewritten the earliest, whichever head came first [P24]', async () => {
    const [three, five] = [3, 5].map((position) =>
      signHead({ chain, position, hash: 'f'.repeat(64), at: `at ${position}` }, server.deps.keys.audit),
    )
    for (const given of [
      [three!, five!],
      [five!, three!],
    ])
      expect((await walk(given)).breaks).toEqual([
        { chain, kind: 'rewritten', position: 3, headAt: 'at 3', source: 'a copy' },
      ])
  })

  it('reads chains and heads of any length once, counts every break and names a hundred [P24]', async () => {
    const [count, more] = [await countRows(), 1200]
    await sql`insert into audit (id, chain, position, at, subject, previous_hash, hash, ${sql.raw(others)})
      select gen_random_uuid(), chain, position + number, at, subject, previous_hash, hash, ${sql.raw(others)}
      from audit, generate_series(1, ${more}::int) number where chain = ${chain} and position = ${count}`.execute(db())
    const told: number[] = []
    const own = heads.find((head) => head.chain === chain)!
    const many = [...Array<AuditHead>(500).fill(own), { ...own, position: 77 }]
    const { keys } = server.deps
    const onRows = (rows: number): void => void told.push(rows)
    const verdict = await walkChains({ db: db(), keys: keys.audit, chain, heads: foundIn(many), known, onRows })
    // Each of them was changed, and follows another than it says.
    expect(verdict).toMatchObject({ rows: count + more, breakCount: 2 * more + 1, heads: 501 })
    expect([verdict.breaks.length, verdict.breaks[0]]).toEqual([100, { chain, kind: 'unlinked', position: count + 1 }])
    expect(told).toEqual([500, 1000, count + more])
  })

  it('names heads that somebody made or changed [P24]', async () => {
    const forged = heads.map((head) => ({ ...head, position: head.position + 1 }))
    expect((await walk(forged)).breaks.map(({ kind }) => kind)).toEqual(heads.map(() => 'foreign head'))
  })

  it('verifies earlier keys after a rotation, and names a key that is not there [P24]', async () => {
    const [earlier, next] = ['e'.repeat(40), 'n'.repeat(40)]
    const rotated = await startServer({ DMP_AUDIT_KEYS: `${next} ${earlier}` })
    await rotated.signIn('staff')
    const walkRotated = (...secrets: string[]) =>
      walkChains({ db: rotated.deps.db, keys: createAuditKeys(secrets), heads: foundIn([]), known: undefined })
    const [withEarlier, withoutNext] = [await walkRotated('c'.repeat(40), next), await walkRotated(earlier)]
    await rotated.close()
    expect([withEarlier.breakCount, withoutNext.breaks[0]]).toEqual([
      0,
      expect.objectContaining({ kind: 'unknown key', keyId: createAuditKeys([next]).current.id }),
    ])
  })
})

describe('records without a key', () => {
  it('of a server of the version before stay verifiable under the first keyed record after them [P21, P24]', async () => {
    await appendUnkeyed(db(), chain, 3)
    await appendUnkeyed(db(), '00000000-0000-4000-8000-00000000f00d', 2)
    await coverUnkeyedRows(server.deps, known)
    expect((await listRows(db(), chain)).at(-1)).toMatchObject({ event: 'AuditChainKeyed', hash_version: 2 })
    await server.signIn('staff')
    expect(await kinds()).toEqual([])
    heads = await listHeads(db(), server.deps.keys.audit)
    // Covered, they can no more be changed than others.
    const position = (await countRows()) - 3
    await asOwner(db(), async () => {
      await changeRow(position, { subject: { n: 99 } })
      await hashAnew(db(), chain, position, 1)
    })
    expect(await kinds()).toEqual([[true, 'rewritten', await countRows()]])
  })

  it('are a break when they come long after the upgrade, whatever follows them [P24]', async () => {
    await asOwner(db(), () =>
      db()
        .updateTable('audit')
        .set({ at: days(3) })
        .where('chain', '!=', chain)
        .where('position', '=', 1)
        .execute(),
    )
    const position = (await countRows()) + 1
    await appendUnkeyed(db(), chain, 2)
    expect(await kinds([], undefined, chain)).toEqual([[true, 'unkeyed', position]])
    await coverUnkeyedRows(server.deps, known)
    await server.signIn('staff')
    expect(await kinds([], undefined, chain)).toEqual([[true, 'unkeyed', position]])
  })

  it('are no upgrade where the data folder says that there were keys, though all history has none [P24]', async () => {
    await asOwner(db(), async () => {
      for (const name of [chain, 'platform']) await hashAnew(db(), name, 1, 1)
      await db().deleteFrom('audit').where('hash_version', '>', 1).execute()
    })
    // Without the memory it passes for an upgrade.
    expect(await kinds([])).toEqual([])
    const { settings, keys } = server.deps
    const born = readKeyedSince(settings, keys.audit)
    if (typeof born !== 'object') throw new Error('The server wrote down nothing.')
    expect(born.isBornKeyed).toBe(true)
    const count = await countRows()
    const upgradedToday = { ...born, isBornKeyed: false, since: new Date().toISOString() }
    const records = { ...upgradedToday, keyedRecords: { [chain]: count } }
    for (known of [born, { ...upgradedToday, since: days(2).toISOString() }, records])
      expect(await kinds([], undefined, chain)).toEqual([[true, 'unkeyed', 1]])
    known = born
    await coverUnkeyedRows(server.deps, born)
    expect(await countRows()).toBe(count)
    expect(server.logs.join()).toContain('have no key although')
    // A server of the version before may append such rows for a day after the date that is remembered.
    known = upgradedToday
    await coverUnkeyedRows(server.deps, known)
    expect(await kinds([], undefined, chain)).toEqual([])
  })

  it('of somebody who wrote to the database are named behind a keyed one from the first day on [P24]', async () => {
    const { settings, keys } = server.deps
    known = readKeyedSince(settings, keys.audit)
    const position = (await countRows()) + 1
    await appendUnkeyed(db(), chain, 2)
    await server.signIn('staff')
    expect(await kinds()).toEqual([[true, 'unkeyed', position]])
  })

  it.each<[string, (text: string) => string]>([
    ['changed', (text) => text.replace('"isBornKeyed":true', '"isBornKeyed":false')],
    ['emptied', () => ''],
    ['reduced', () => '{}'],
    ['signed with a key of somebody else', (text) => text.replace(/"keyId":"\w+"/, '"keyId":"000000000000"')],
  ])('cannot be excused by a memory that was %s [P24]', async (_how, change) => {
    const { settings, keys } = server.deps
    const file = toKeyedFile(settings)
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    known = readKeyedSince(settings, keys.audit)
    expect((await walk()).breaks).toMatchObject([{ kind: 'foreign memory' }])
  })
})
