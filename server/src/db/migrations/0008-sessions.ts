import { sql, type Kysely } from 'kysely'

/**
 * Tables get the names of the profession. It only expands: until the servers of the version before are gone, they find
 * each table under its previous name as a view that PostgreSQL updates by itself, and two tables keep the column
 * `family_id` in step with `session_id`. A later migration may drop the views, the column and its trigger
 * (docs/decisions/0031-sessions-table.md).
 */
const renamed = [
  `alter table families rename to sessions`,
  `alter index families_user rename to sessions_user`,
  `create view families as select * from sessions`,

  // 4.14: a label that the client made, and the session that named it first.
  `alter table live_sessions rename to session_labels`,
  `alter table session_labels rename column session_id to label`,
  `alter table session_labels rename column family_id to session_id`,
  `alter index live_sessions_family rename to session_labels_session`,
  `create view live_sessions as
    select label as session_id, session_id as family_id, created_date, exchanges, exchange_until from session_labels`,

  `alter table guesses rename to login_attempts`,
  `create view guesses as select * from login_attempts`,

  `alter table release_sightings rename to release_reports`,
  `alter index release_sightings_minute rename to release_reports_minute`,
  `create view release_sightings as select * from release_reports`,

  `alter table release_witnesses rename to affected_users`,
  `alter table affected_users rename column witness to user_hash`,
  `create view release_witnesses as select part, release_id, user_hash as witness, seen_date from affected_users`,
]

/** A row may come from a server of either version; neither changes the session of a row afterwards. */
const addSessionId = (table: string): string[] => [
  `alter table ${table} add column session_id uuid references sessions on delete cascade`,
  `update ${table} set session_id = family_id`,
  `alter table ${table} alter column session_id set not null`,
  `create index ${table}_session on ${table} (session_id)`,
  `create trigger ${table}_session_id before insert on ${table} for each row execute function keep_session_id()`,
]

const keepSessionId = `create function keep_session_id() returns trigger language plpgsql as $$ begin
  new.session_id := coalesce(new.session_id, new.family_id);
  new.family_id := new.session_id;
  return new;
end $$`

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [
    ...renamed,
    keepSessionId,
    ...addSessionId('refresh_tokens'),
    ...addSessionId('scan_launches'),
  ])
    await sql.raw(statement).execute(db)
}
