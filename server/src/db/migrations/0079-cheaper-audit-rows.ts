import { sql, type Kysely } from 'kysely'

/**
 * The function over which the scans of audit rows are indexed: as a query it was planned anew by every statement, twice
 * for each row (docs/decisions/0196). It gives what it gave, so that the index stays and nothing is locked or written
 * anew. Keys come as jsonb has them in order: by length, then by bytes.
 */
const quickerScans = `create or replace function audit_scans(subject jsonb) returns text[]
  language plpgsql immutable strict parallel safe as $$
    declare
      scans text[] := '{}';
      name text;
      value jsonb;
    begin
      foreach name in array array['series', 'studies', 'studyUID', 'seriesUID', 'alsoSeries'] loop
        value := subject -> name;
        if jsonb_typeof(value) = 'string' then
          scans := scans || (subject ->> name);
        elsif jsonb_typeof(value) = 'array' then
          if jsonb_array_length(value) = 1 then
            scans := scans || (value ->> 0);
          else
            scans := scans || array(select jsonb_array_elements_text(value));
          end if;
        end if;
      end loop;
      return scans;
    end $$`

export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw(quickerScans).execute(db)
}
