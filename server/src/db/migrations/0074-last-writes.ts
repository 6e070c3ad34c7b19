import { sql, type Kysely } from 'kysely'

/**
 * How many changes each person or machine has made: what a replica has to have before it answers them. The rows change
 * with nearly every transaction and lie between two looks of vacuum, so each page keeps room for their next versions.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table last_writes (
    person_id uuid primary key,
    number bigint not null,
    written_date timestamptz not null default now()
  ) with (fillfactor = 50)`.execute(db)
}
