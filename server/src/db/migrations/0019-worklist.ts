import { sql, type Kysely } from 'kysely'

/**
 * Words without accents, in any case. Letters that Unicode does not take apart are spelled out. Immutable, so that
 * columns and indexes can be made of it; `unaccent` is neither that nor part of every installation.
 */
const foldUnicode = `replace(replace(replace(lower(translate(
  regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g'),
  'ØøŁłĐđıĦħ', 'OoLlDdiHh')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')`

const createFold = (body: string): string =>
  `create function fold_text(value text) returns text language sql immutable strict parallel safe
    as $$ select ${body} $$`

/** What a summary holds, from the series of the study. */
const columns = [
  'organization_id',
  'study_uid',
  'patient_name',
  'patient_id',
  'study_date',
  'description',
  'modalities',
  'body_parts',
  'sources',
  'compatible_saas',
  'series',
  'arrived_date',
  'words',
]

const distinct = (value: string): string =>
  `coalesce(array_agg(distinct ${value} order by ${value}) filter (where ${value} <> ''), '{}')`

const selectSummaries = `select t.organization_id, t.study_uid,
    (array_agg(s.patient_name order by s.created_date, s.series_uid))[1], t.patient_id, t.study_date,
    coalesce(t.attributes #>> '{00081030,Value,0}', ''),
    ${distinct('s.modality')}, ${distinct(`upper(s.attributes #>> '{00180015,Value,0}')`)}, ${distinct('s.source')},
    coalesce((select array_agg(distinct name order by name) from series u, unnest(u.compatible_saas) name
      where u.organization_id = t.organization_id and u.study_uid = t.study_uid), '{}'),
    count(*)::int, max(s.created_date), string_agg(distinct s.search_text, E'\\n') || E'\\n' || t.study_date
  from studies t join series s on s.organization_id = t.organization_id and s.study_uid = t.study_uid`

const groupSummaries = `group by t.organization_id, t.study_uid`

/** Servers of the version before write series and know no summaries, so the database keeps them itself. */
const createUpkeep = [
  `create function summarize_studies(organization uuid, uids text[]) returns void language plpgsql as $$
    begin
      -- One after the other, so that each sees the series that the one before has added.
      perform 1 from studies t where t.organization_id = organization and t.study_uid = any(uids)
        order by t.study_uid for no key update;
      insert into study_summaries (${columns.join(', ')})
        ${selectSummaries} where t.organization_id = organization and t.study_uid = any(uids) ${groupSummaries}
        on conflict (organization_id, study_uid) do update set
          ${columns
            .slice(2)
            .map((column) => `${column} = excluded.${column}`)
            .join(', ')};
      delete from study_summaries m where m.organization_id = organization and m.study_uid = any(uids)
        and not exists (select 1 from series s where s.organization_id = organization and s.study_uid = m.study_uid);
    end $$`,
  `create function summarize_changed_studies() returns trigger language plpgsql as $$
    begin
      perform summarize_studies(organization_id, array_agg(distinct study_uid)) from changed
        group by organization_id order by organization_id;
      return null;
    end $$`,
  `create trigger series_added after insert on series referencing new table as changed
    for each statement execute function summarize_changed_studies()`,
  `create trigger series_removed after delete on series referencing old table as changed
    for each statement execute function summarize_changed_studies()`,
]

/**
 * One word search for series and studies, one row per study for the worklist, who opened which study, and filters that
 * belong to the worklist or to everybody in an organization.
 */
const statements = [
  // The same name with folded words: servers of the version before go on searching it.
  `alter table series drop column search_text`,
  `alter table series add column search_text text not null generated always as (fold_text(search_words)) stored`,
  `create index series_search on series using gin (search_text gin_trgm_ops) with (fastupdate = off)`,

  `create table study_summaries (
    organization_id uuid not null,
    study_uid text collate "C" not null,
    patient_name text collate "C" not null,
    patient_id text collate "C" not null,
    study_date text collate "C" not null,
    description text collate "C" not null,
    modalities text[] not null,
    body_parts text[] not null,
    sources text[] not null,
    compatible_saas text[] not null,
    series int not null,
    arrived_date timestamptz not null,
    words text not null,
    primary key (organization_id, study_uid),
    foreign key (organization_id, study_uid) references studies on delete cascade)`,
  `insert into study_summaries (${columns.join(', ')}) ${selectSummaries} ${groupSummaries}`,
  ...createUpkeep,
  `create index study_summaries_words on study_summaries using gin (words gin_trgm_ops) with (fastupdate = off)`,
  `create index study_summaries_kinds on study_summaries
    using gin (organization_id, modalities, body_parts, sources, compatible_saas)`,
  `create index study_summaries_arrived on study_summaries (organization_id, arrived_date desc, study_uid desc)`,
  `create index study_summaries_date on study_summaries (organization_id, study_date, study_uid)`,
  `create index study_summaries_name on study_summaries
    (organization_id, lower(patient_name) collate "C", study_uid)`,
  `create index study_summaries_patient on study_summaries
    (organization_id, lower(patient_id) collate "C", study_uid)`,
  `create index study_summaries_description on study_summaries
    (organization_id, lower(description) collate "C", study_uid)`,

  `create table opened_studies (
    user_id uuid not null references users on delete cascade,
    organization_id uuid not null,
    study_uid text collate "C" not null,
    opened_date timestamptz not null default now(),
    primary key (user_id, organization_id, study_uid),
    foreign key (organization_id, study_uid) references studies on delete cascade)`,
  `create index opened_studies_study on opened_studies (organization_id, study_uid)`,
  `create index opened_studies_date on opened_studies (opened_date)`,
  `create index transfer_scans_study on transfer_scans (study_uid)`,

  `alter table scan_filters add column place text not null default 'scan' check (place in ('scan', 'worklist'))`,
  `alter table scan_filters add column query text not null default ''`,
  `alter table scan_filters add column is_shared boolean not null default false`,
]

export async function up(db: Kysely<never>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select getdatabaseencoding() as encoding`.execute(db)
  // Accents can be taken off in UTF-8 only.
  const fold = createFold(rows[0]?.encoding === 'UTF8' ? foldUnicode : 'lower(value)')
  for (const statement of [fold, ...statements]) await sql.raw(statement).execute(db)
}
