import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createAuditKeys, hashAuditRow } from '../../db/auditHash.ts'
import type { Db } from '../../db/client.ts'
import type { FoundHead } from './heads.ts'

/** Whoever has no key but may write to the database. */
export const keyless = createAuditKeys(['x'.repeat(40)])

/** As the owner of the database, whom no trigger stops. */
export async function asOwner<T>(db: Db, change: () => Promise<T>): Promise<T> {
  await sql`alter table audit disable trigger user`.execute(db)
  const result = await change()
  await sql`alter table audit enable trigger user`.execute(db)
  return result
}

export const listRows = (db: Db, chain: string) =>
  db.selectFrom('audit').selectAll().where('chain', '=', chain).orderBy('position').execute()

/** Gives all rows of a chain from a position on hashes that fit one another, made without the key. */
export async function hashAnew(db: Db, chain: string, from: number, version: 1 | 2): Promise<void> {
  let previous: string | undefined
  for (const row of await listRows(db, chain)) {
    if (row.position >= from) {
      const key_id = version === 2 ? row.key_id : null
      const changed = { ...row, previous_hash: previous ?? '', hash_version: version, key_id }
      const made = version === 1 ? changed : { ...changed, key_id: keyless.current.id }
      const hash = hashAuditRow(made, keyless) ?? ''
      await db
        .updateTable('audit')
        .set({ previous_hash: changed.previous_hash, hash_version: version, key_id, hash })
        .where('id', '=', row.id)
        .execute()
      previous = hash
    } else previous = row.hash
  }
}

/** Rows as a server of the version before appends them. */
export async function appendUnkeyed(db: Db, chain: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const last = (await listRows(db, chain)).at(-1)
    const row = {
      id: randomUUID(),
      chain,
      position: (last?.position ?? 0) + 1,
      at: new Date(),
      event: 'SignedIn',
      outcome: 'success' as const,
      actor_id: null,
      organization_id: chain === 'platform' ? null : chain,
      subject: { n, list: [], nested: {} },
      request_id: 'before',
      address: '10.0.0.1',
      previous_hash: last?.hash ?? '',
    }
    const hash = hashAuditRow({ ...row, hash_version: 1, key_id: null }, keyless) ?? ''
    await (db as unknown as { insertInto(table: 'audit'): { values(row: object): { execute(): Promise<unknown> } } })
      .insertInto('audit')
      .values({ ...row, hash })
      .execute()
  }
}

export async function* foundIn(heads: readonly FoundHead['head'][]): AsyncGenerator<FoundHead> {
  for (const head of heads) yield { head, source: 'a copy' }
}
