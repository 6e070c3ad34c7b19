import { sql, type Kysely } from 'kysely'

/**
 * Keys of a search by DICOMweb that lead from one order or one day to its scans: an archive asks for them again and
 * again, and mostly for what is not there (docs/decisions/0080). Rows without the attribute are in neither of the
 * indexes of series.
 */
const performedDate = `replace(attributes->'00400244'->'Value'->>0, '.', '')`

/**
 * Of a list of texts PostgreSQL knows which are frequent, of JSON it guesses. Cut as what is kept: servers before
 * `0025-kept-values.ts` may still be adding rows.
 */
const createRequestKeys = `create function request_keys(attributes jsonb) returns text[]
  language sql immutable parallel safe as $$
    select array_agg(distinct key || '=' || left(item->key->'Value'->>0, 64))
      from jsonb_path_query(attributes, '$."00400275".Value[*]') item,
        unnest('{00400009,00401001}'::text[]) key
      where item->key->'Value'->>0 is not null
  $$`

const statements = [
  `create index studies_accession_number on studies (organization_id, accession_number text_pattern_ops)`,
  `create index series_performed_date on series (organization_id, (${performedDate}))
    where ${performedDate} is not null`,
  createRequestKeys,
  // Without a list of what is still to be added, which every search would read.
  `create index series_requests on series using gin (request_keys(attributes)) with (fastupdate = off)
    where request_keys(attributes) is not null`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
