import { sql, type Kysely } from 'kysely'

/**
 * What one object can make the database do is bounded: values that are kept for searching have a length, and a summary
 * takes in the series that a statement adds instead of reading all of the study again (docs/decisions/0072).
 */

/** No value that DICOM allows in these attributes is longer; a name has as many in each of its spellings. */
const maxChars = 64
const maxNameChars = 3 * maxChars + 2
const maxValues = 16
/** As text of JSON: a sequence of requests has some hundred. */
const maxElementChars = 4_096
/** Of what a study is found by; a line per value, so that hundreds of series have room. */
const maxWordsChars = 8_000
/** Modalities, body parts and sources of a study that its filters know. */
const maxKinds = 64
/** Of a study with more series, a deletion corrects the count alone. */
const maxReadSeries = 1_000

const createWords = `create function join_words(words text, added text) returns text
  language sql immutable parallel safe as $$
    select case when length(words) >= ${maxWordsChars} then words else left(concat_ws(E'\\n', nullif(words, ''), (
      select string_agg(line, E'\\n' order by line) from (
        select unnest(string_to_array(added, E'\\n')) as line except select unnest(string_to_array(words, E'\\n'))) new
      where line <> '')), ${maxWordsChars}) end
  $$`

const createUnion = `create function join_values(one text[], other text[]) returns text[]
  language sql immutable parallel safe as $$
    select case when one @> other or cardinality(one) >= ${maxKinds} then one
      else array(select unnest(one) as value union select unnest(other) order by value limit ${maxKinds}) end
  $$`

const distinct = (value: string): string =>
  `coalesce((array_agg(distinct ${value} order by ${value}) filter (where ${value} <> ''))[1:${maxKinds}], '{}')`

const columns = `organization_id, study_uid, patient_name, patient_id, study_date, description, modalities, body_parts,
  sources, compatible_saas, series, arrived_date, words`

/** Summaries of series: of those that a statement added, or of all of a study. */
const selectSummaries = (series: string): string => `select t.organization_id, t.study_uid,
    (array_agg(s.patient_name order by s.created_date, s.series_uid))[1], t.patient_id, t.study_date,
    coalesce(t.attributes #>> '{00081030,Value,0}', ''),
    ${distinct('s.modality')}, ${distinct(`upper(s.attributes #>> '{00180015,Value,0}')`)}, ${distinct('s.source')},
    coalesce((select array_agg(distinct name order by name) from ${series} u, unnest(u.compatible_saas) name
      where u.organization_id = t.organization_id and u.study_uid = t.study_uid), '{}'),
    count(*)::int, max(s.created_date), join_words('', string_agg(s.search_text, E'\\n') || E'\\n' || t.study_date)
  from studies t join ${series} s on s.organization_id = t.organization_id and s.study_uid = t.study_uid`
const groupSummaries = `group by t.organization_id, t.study_uid`

/** In the order of the UIDs, so that two never wait for each other, and each sees what the one before has added. */
const lockStudies = (changed: string): string =>
  `perform 1 from studies t where (t.organization_id, t.study_uid) in
    (select organization_id, study_uid from ${changed})
    order by t.organization_id, t.study_uid for no key update;`

const createUpkeep = [
  `drop trigger series_added on series`,
  `drop trigger series_removed on series`,
  `drop function summarize_changed_studies()`,
  `drop function summarize_studies(uuid, text[])`,
  `create function summarize_added_series() returns trigger language plpgsql as $$
    begin
      ${lockStudies('changed')}
      insert into study_summaries as m (${columns}) ${selectSummaries('changed')} ${groupSummaries}
        on conflict (organization_id, study_uid) do update set
          modalities = join_values(m.modalities, excluded.modalities),
          body_parts = join_values(m.body_parts, excluded.body_parts),
          sources = join_values(m.sources, excluded.sources),
          compatible_saas = join_values(m.compatible_saas, excluded.compatible_saas),
          series = m.series + excluded.series,
          arrived_date = greatest(m.arrived_date, excluded.arrived_date),
          words = join_words(m.words, excluded.words);
      return null;
    end $$`,
  `create function summarize_removed_series() returns trigger language plpgsql as $$
    begin
      ${lockStudies('changed')}
      update study_summaries m set series = m.series - gone.series
        from (select organization_id, study_uid, count(*)::int as series from changed group by 1, 2) gone
        where m.organization_id = gone.organization_id and m.study_uid = gone.study_uid;
      delete from study_summaries m using changed c
        where m.organization_id = c.organization_id and m.study_uid = c.study_uid and (m.series <= ${maxReadSeries});
      insert into study_summaries (${columns}) ${selectSummaries('series')}
        where (t.organization_id, t.study_uid) in (select organization_id, study_uid from changed)
          and not exists (select from study_summaries m
            where m.organization_id = t.organization_id and m.study_uid = t.study_uid)
        ${groupSummaries};
      return null;
    end $$`,
  `create trigger series_added after insert on series referencing new table as changed
    for each statement execute function summarize_added_series()`,
  `create trigger series_removed after delete on series referencing old table as changed
    for each statement execute function summarize_removed_series()`,
]

/** As servers of this version cut what arrives: strings, values of an element, binaries, and the element as a whole. */
const createCut = [
  `create function cut_kept_value(value jsonb) returns jsonb language plpgsql as $$
    begin
      return case jsonb_typeof(value)
        when 'string' then to_jsonb(left(value #>> '{}', ${maxChars}))
        when 'array' then (select coalesce(jsonb_agg(cut_kept_value(part) order by at), '[]')
          from jsonb_array_elements(value) with ordinality as parts (part, at) where at <= ${maxValues})
        when 'object' then (select coalesce(jsonb_object_agg(key,
            case when key = 'BulkDataURI' then part else cut_kept_value(part) end), '{}')
          from jsonb_each(value) as parts (key, part)
          where key <> 'InlineBinary' or length(part::text) <= ${maxChars} + 2)
        else value end;
    end $$`,
  `create function cut_kept_attributes(attributes jsonb) returns jsonb language sql as $$
    select coalesce(jsonb_object_agg(key, case
        when length((element -> 'Value')::text) <= ${maxElementChars} then element
        when length((element -> 'Value' -> 0)::text) < ${maxElementChars}
          then jsonb_set(element, '{Value}', jsonb_build_array(element -> 'Value' -> 0))
        else element - 'Value' end), '{}')
      from (select key, cut_kept_value(value) as element from jsonb_each(attributes)) cut
  $$`,
]

const dropCut = [`drop function cut_kept_attributes(jsonb)`, `drop function cut_kept_value(jsonb)`]

const isLong = `(octet_length(attributes::text) > ${maxElementChars}
  or attributes @? '$.** ? (@ like_regex "^.{${maxChars + 1}}" flag "s")')`

/** Rows that objects of any length made. */
const cutRows = [
  `update studies set attributes = cut_kept_attributes(attributes) where ${isLong}`,
  `update studies set patient_id = left(patient_id, ${maxChars}), patient_name = left(patient_name, ${maxChars}),
      accession_number = left(accession_number, ${maxChars})
    where greatest(length(patient_id), length(patient_name), length(accession_number)) > ${maxChars}`,
  `update series set attributes = cut_kept_attributes(attributes) where ${isLong}`,
  `update series set patient_id = left(patient_id, ${maxChars}), patient_name = left(patient_name, ${maxNameChars}),
      modality = left(modality, ${maxChars}), description = left(description, ${maxChars}),
      search_words = (select coalesce(string_agg(left(line, ${maxNameChars}), E'\\n' order by at), '')
        from unnest(string_to_array(search_words, E'\\n')) with ordinality as lines (line, at))
    where greatest(length(patient_id), length(modality), length(description)) > ${maxChars}
      or length(patient_name) > ${maxNameChars} or search_words ~ '[^\\n]{${maxNameChars + 1}}'`,
  // Their words were those of all series, each as often as it differed.
  `delete from study_summaries where length(words) > ${maxNameChars * 4}
    or greatest(length(patient_name), length(patient_id), length(description)) > ${maxChars}`,
  `insert into study_summaries (${columns}) ${selectSummaries('series')}
    where not exists (select from study_summaries m
      where m.organization_id = t.organization_id and m.study_uid = t.study_uid) ${groupSummaries}`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [createWords, createUnion, ...createUpkeep, ...createCut, ...cutRows, ...dropCut])
    await sql.raw(statement).execute(db)
}
