import { sql, type Kysely } from 'kysely'

/** Every scan that an audit row names: studies and series, alone and in lists. */
const createScansOf = `create function audit_scans(subject jsonb) returns text[]
  language sql immutable strict parallel safe as $$
    select coalesce(array_agg(uid), '{}') from (
      select jsonb_array_elements_text(case when jsonb_typeof(value) = 'array' then value
        when jsonb_typeof(value) = 'string' then jsonb_build_array(value) else '[]' end) as uid
      from jsonb_each(subject) where key in ('studyUID', 'seriesUID', 'series', 'alsoSeries', 'studies')) named
  $$`

/** Who did what with a patient's scans, and what a person did, without reading the whole audit. */
const statements = [
  createScansOf,
  `create index audit_scans on audit using gin (audit_scans(subject))
    where event <> 'ScansQueried' and audit_scans(subject) <> '{}'`,
  `create index audit_actor on audit (actor_id, at desc)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
