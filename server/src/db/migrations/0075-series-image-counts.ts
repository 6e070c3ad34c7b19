import { sql, type Kysely } from 'kysely'

/**
 * `series_images`, the index of the list by number of images, made each group of an upload write all eleven indexes of
 * its series (docs/decisions/0175). A narrow table has the numbers in order now. The database keeps it itself, because
 * servers of the version before know nothing of it; what is there already is filled in some rows at a time, and the
 * index goes afterwards (`backFills/seriesImageCounts.ts`).
 */
const statements = [
  `create table back_fills (
    name text primary key,
    rows_done bigint not null default 0,
    rows_expected bigint not null,
    position jsonb,
    created_date timestamptz not null default now(),
    changed_date timestamptz not null default now(),
    filled_date timestamptz,
    ended_date timestamptz)`,
  `create table series_image_counts (
    organization_id uuid not null,
    series_uid text collate "C" not null,
    images int not null,
    primary key (organization_id, series_uid),
    foreign key (organization_id, series_uid) references series on delete cascade)`,
  `create index series_image_counts_order on series_image_counts (organization_id, images, series_uid)`,
  `create function add_series_image_counts() returns trigger language plpgsql as $$
    begin
      insert into series_image_counts (organization_id, series_uid, images)
        select organization_id, series_uid, images from added
        on conflict (organization_id, series_uid) do update set images = excluded.images;
      return null;
    end $$`,
  `create trigger series_image_counts_added after insert on series
    referencing new table as added for each statement execute function add_series_image_counts()`,
  `create function keep_series_image_count() returns trigger language plpgsql as $$
    begin
      insert into series_image_counts (organization_id, series_uid, images)
        values (new.organization_id, new.series_uid, new.images)
        on conflict (organization_id, series_uid) do update set images = excluded.images;
      return null;
    end $$`,
  `create trigger series_image_count_changed after update of images on series
    for each row when (old.images is distinct from new.images) execute function keep_series_image_count()`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  const { rows } = await sql<{ found: boolean }>`select exists (select from series) as found`.execute(db)
  if (rows[0]?.found === true)
    await sql`insert into back_fills (name, rows_expected) select '0075-series-image-counts', greatest(0, reltuples)
      from pg_class where oid = 'series'::regclass`.execute(db)
  else await sql`drop index series_images`.execute(db)
}
