import { sql, type Transaction } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables/index.ts'

/**
 * Counts one more change of each of these people and machines, as the last statement of its transaction: their rows are
 * locked until the commit, in one order, and whoever has them waits for nothing else. What has this number has the
 * change.
 */
export async function noteWrites(db: Db | Transaction<Tables>, personIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(personIds)].sort()
  if (ids.length === 0) return
  await sql`insert into last_writes (person_id, number, written_date)
    select id, 1, clock_timestamp() from unnest(${ids}::uuid[]) with ordinality as given (id, place) order by place
    on conflict (person_id) do update set number = last_writes.number + 1, written_date = clock_timestamp()`.execute(db)
}

/** Longer than what a replica may be behind together with the looks at it: what is older, every replica in use has. */
const rememberedSeconds = 60

/** What a replica has to have so that somebody finds there what they wrote, and what they were told. */
export interface Needed {
  readonly personId: string
  /** Of the person's changes; null where the last one was long ago. */
  readonly own: string | null
  readonly organizationId: string | null
  /** Of the feed of the organization's changes, where a program may have been told of them. */
  readonly told: string | null
}

/** Asked of the server that takes writes, before the request adds anything itself. */
export async function findNeeded(db: Db, personId: string, organizationId: string | null): Promise<Needed> {
  const { rows } = await sql<Pick<Needed, 'own' | 'told'>>`select
    (select number::text from last_writes
      where person_id = ${personId} and written_date > now() - make_interval(secs => ${rememberedSeconds})) as own,
    (select last_number::text from change_feeds where organization_id = ${organizationId}::uuid) as told`.execute(db)
  return { personId, organizationId, own: rows[0]?.own ?? null, told: rows[0]?.told ?? null }
}

/** Asked of a replica. */
export async function hasReplayed(db: Db, { personId, organizationId, own, told }: Needed): Promise<boolean> {
  if (own === null && told === null) return true
  const { rows } = await sql<{ has: boolean }>`select
    coalesce((select number from last_writes where person_id = ${personId}), 0) >= coalesce(${own}::bigint, 0)
    and coalesce((select last_number from change_feeds where organization_id = ${organizationId}::uuid), 0)
      >= coalesce(${told}::bigint, 0) as has`.execute(db)
  return rows[0]?.has === true
}
