import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded, type Embedded } from './embedded.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-embedded-'))
let database: Embedded
beforeAll(async () => {
  database = await openEmbedded(folder)
  await database.exec('create table marks (n int primary key, at timestamptz, raw bytea, more jsonb)')
})
afterAll(async () => {
  if (!database.closed) await database.close()
  rmSync(folder, { recursive: true, force: true })
})
const marks = async () => (await database.query<{ n: number }>('select n from marks order by n')).rows.map(({ n }) => n)

const fail = (): never => {
  throw new Error('It answered.')
}

describe('the embedded database in its thread', () => {
  it('answers values as they are: dates, bytes, JSON, and the count of what changed', async () => {
    const at = new Date('2026-03-01T12:00:00Z')
    const { affectedRows } = await database.query('insert into marks values ($1, $2, $3, $4)', [
      1,
      at,
      Buffer.from([0, 255]),
      { a: ['b'] },
    ])
    expect(affectedRows).toBe(1)
    expect((await database.query('select * from marks')).rows).toEqual([
      { n: 1, at, raw: new Uint8Array([0, 255]), more: { a: ['b'] } },
    ])
  })

  it('keeps and gives bytes about as quickly as the same length of text [P18]', async () => {
    const bytes = randomBytes(2 ** 20)
    const letters = bytes.toString('hex')
    const quickest = async (type: 'bytea' | 'text', value: unknown): Promise<number> => {
      const times: number[] = []
      for (let run = 0; run < 5; run += 1) {
        const begun = performance.now()
        const { rows } = await database.query<{ value: unknown }>(`select $1::${type} as value`, [value])
        times.push(performance.now() - begun)
        expect(rows).toHaveLength(1)
      }
      return Math.min(...times)
    }
    const { rows } = await database.query<{ value: Uint8Array }>('select $1::bytea as value', [bytes])
    expect(bytes.equals(rows[0]?.value ?? Buffer.alloc(0))).toBe(true)
    // Byte by byte it takes more than ten times as long.
    expect(await quickest('bytea', bytes)).toBeLessThan(5 * (await quickest('text', letters)))
  })

  it('says what a refused statement was refused for', async () => {
    await expect(database.query('insert into marks (n) values (1)')).rejects.toMatchObject({
      code: '23505',
      constraint: 'marks_pkey',
      message: expect.stringContaining('duplicate key'),
    })
  })

  it('keeps a transaction that ends well, and nothing of one that does not [P20]', async () => {
    expect(
      await database.transaction(
        async ({ query }) => (await query<{ n: number }>('insert into marks (n) values (2) returning n')).rows[0]?.n,
      ),
    ).toBe(2)
    const failure = new Error('changed my mind')
    await expect(
      database.transaction(async ({ query }) => {
        await query('insert into marks (n) values (3)')
        throw failure
      }),
    ).rejects.toBe(failure)
    await database.transaction(async ({ query, rollback }) => {
      await query('insert into marks (n) values (4)')
      await rollback()
    })
    expect(await marks()).toEqual([1, 2])
  })

  it('ends nothing of the next transaction when one was rolled back before its end [P20]', async () => {
    const failure = new Error('changed my mind')
    const [begun, firstOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let second: Promise<unknown> = Promise.resolve()
    await database.transaction(async ({ rollback }) => {
      await rollback()
      second = database.transaction(async ({ query }) => {
        await query('insert into marks (n) values (6)')
        begun.resolve()
        await firstOver.promise
        throw failure
      })
      await begun.promise
    })
    firstOver.resolve()
    await expect(second).rejects.toBe(failure)
    expect(await marks()).toEqual([1, 2])
  })

  it('does not call a transaction kept that was lost to a statement nobody minded [P20]', async () => {
    const careless = database.transaction(async ({ query }) => {
      await query('insert into marks (n) values (5)')
      await query('insert into marks (n) values (1)').catch(() => undefined)
    })
    await expect(careless).rejects.toMatchObject({ code: '25P02' })
    expect(await marks()).toEqual([1, 2])
  })

  it('finds everything after opening again, and answers nothing once it is closed [P20]', async () => {
    await database.close()
    expect(database.closed).toBe(true)
    const refusal = (): Promise<Error> => database.query('select 1').then(fail, (error: Error) => error)
    const first = await refusal()
    expect(first.message).toBe('The embedded database is closed.')
    // The job queue writes the names of its workers into errors that it meets, and the log had all of them in a row.
    first.message += ' (Queue: mail)'
    expect((await refusal()).message).toBe('The embedded database is closed.')
    database = await openEmbedded(folder)
    expect(await marks()).toEqual([1, 2])
  })

  it('says why a folder does not open', async () => {
    const blocked = join(folder, 'blocked')
    writeFileSync(blocked, '')
    await expect(openEmbedded(blocked)).rejects.toThrow(/ENOTDIR|EEXIST|not a directory/)
  })
})
