import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded, type Embedded } from './embedded.ts'
import { patiently } from './patience.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-endless-'))
const onStuck = jest.fn()
let reopened = Promise.withResolvers<void>()
let database: Embedded
beforeAll(async () => {
  database = await openEmbedded(folder, { onStuck, onReopened: () => reopened.resolve() })
  await database.exec('create table marks (n int primary key)')
})
beforeEach(() => {
  reopened = Promise.withResolvers<void>()
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const endless = 'select count(*) from generate_series(1, 1000000000000) a'
const marks = async () => (await database.query<{ n: number }>('select n from marks order by n')).rows.map(({ n }) => n)
/** A tenth of the time that a step of a request has. */
const hastily = <T>(work: () => T): T => patiently(work, 0.8 / 60)

describe('a statement of the embedded database that does not end', () => {
  it('is ended; what was confirmed is there, and everything goes on in the same process [P20, P21]', async () => {
    await database.query('insert into marks values (1)')
    await expect(hastily(() => database.query(endless))).rejects.toMatchObject({ code: '57P03' })
    // Until then nobody waits.
    await expect(database.query('select 1')).rejects.toMatchObject({ code: '57P03' })
    await reopened.promise
    expect(await marks()).toEqual([1])
    await database.query('insert into marks values (2)')
    expect(await marks()).toEqual([1, 2])
    expect([database.closed, onStuck.mock.calls]).toEqual([false, []])
  })

  it('takes its own transaction along, and says so; none of a later one [P20]', async () => {
    const lost = hastily(() =>
      database.transaction(async ({ query }) => {
        await query('insert into marks values (3)')
        await query(endless).catch(() => undefined)
        await reopened.promise
        await query('insert into marks values (4)')
      }),
    )
    await expect(lost).rejects.toMatchObject({ code: '57P03' })
    expect(await marks()).toEqual([1, 2])
    await database.transaction(({ query }) => query('insert into marks values (5)'))
    expect(await marks()).toEqual([1, 2, 5])
  })
})
