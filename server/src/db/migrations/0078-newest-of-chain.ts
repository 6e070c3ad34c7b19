import { sql, type Kysely } from 'kysely'

/**
 * Locks the chain and finds its newest row in one step, which every write does (docs/decisions/0193). Each statement of
 * a function sees what was committed before it began, so the row is the newest also for whoever waited for the lock.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create function lock_audit_chain(wanted text)
    returns table (last_position int, last_hash text, last_hash_version smallint) language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtext('audit'), hashtext(wanted));
      return query select position, hash, hash_version from audit where chain = wanted order by position desc limit 1;
    end $$`.execute(db)
}
