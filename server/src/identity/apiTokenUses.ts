import { sql } from 'kysely'
import { BoundedMap } from '../core/BoundedMap.ts'
import { sharedDate } from '../core/clock.ts'
import type { Db } from '../db/client.ts'
import { createBatchedWrites } from './batchedWrites.ts'

export interface ApiTokenUses {
  /** The token was used just now, from this address. */
  used(apiTokenId: string, address: string): void
  close(): Promise<void>
}

/** Of one token and one address this often at most. */
const everyMs = 30_000
const maxTokens = 10_000

/** Keeps when, and from where, API tokens were used last. */
export function createApiTokenUses(db: Db, onProblem: (error: unknown) => void): ApiTokenUses {
  const seen = new BoundedMap<string, { readonly at: number; readonly address: string }>(maxTokens)
  const writes = createBatchedWrites<{ readonly date: string; readonly address: string }>((batch) => {
    const rows = sql.join(
      batch.map(([id, { date, address }]) => sql`(${id}::uuid, ${date}::timestamptz, ${address}::text)`),
    )
    return sql`
      update api_tokens set last_used_date = used.at, last_used_address = used.address
      from (values ${rows}) as used (id, at, address)
      where api_tokens.id = used.id and (last_used_date is null or last_used_date < used.at)`.execute(db)
  }, onProblem)
  return {
    used: (apiTokenId, address) => {
      const known = seen.get(apiTokenId)
      if (known?.address === address && performance.now() - known.at < everyMs) return
      seen.set(apiTokenId, { at: performance.now(), address })
      writes.set(apiTokenId, { date: sharedDate().toISOString(), address })
    },
    close: writes.close,
  }
}
