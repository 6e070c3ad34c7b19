import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { goOnFor } from '../core/asker.ts'
import { openDatabase, type Database } from './client.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ kind: 'memory' })
  await sql`select 1`.execute(database.db)
})
afterAll(() => database.close())

const as = <T>(ip: string, act: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => goOnFor({ ip } as FastifyRequest, () => void act().then(resolve, reject)))

describe('the one connection of the embedded database', () => {
  it('goes to another caller after one statement, however many one caller waits with [P18]', async () => {
    const order: string[] = []
    const ask = (who: string) => sql`select 1`.execute(database.db).then(() => void order.push(who))
    const flood = as('10.0.0.1', () => Promise.all(Array.from({ length: 100 }, () => ask('flood'))))
    const other = as('10.0.0.2', () => ask('other'))
    await Promise.all([flood, other])
    expect(order.indexOf('other')).toBeLessThanOrEqual(2)
    expect(order).toHaveLength(101)
  })

  it('is whole for a transaction, and there again after a failed one', async () => {
    const order: string[] = []
    const transaction = database.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx)
      order.push('inside')
      await sql`select 1`.execute(trx)
      order.push('inside')
    })
    const beside = sql`select 1`.execute(database.db).then(() => void order.push('beside'))
    await Promise.all([transaction, beside])
    expect(order).toEqual(['inside', 'inside', 'beside'])
    await expect(database.db.transaction().execute((trx) => sql`select nothing`.execute(trx))).rejects.toThrow()
    await expect(sql`select nothing`.execute(database.db)).rejects.toThrow()
    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }])
  })
})
