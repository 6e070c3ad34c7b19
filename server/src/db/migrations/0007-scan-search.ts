import { sql, type Kysely } from 'kysely'

/**
 * Search and order of a million series in milliseconds. UIDs leave the searched text: nearly every part of one is in
 * every row, which made the index slow for all terms. The organization leaves the index of the text: a list of all of
 * its rows was read along with each search.
 */
const statements = [
  `drop index series_search`,
  `update series set search_words = replace(search_words, E'\\n' || study_uid || E'\\n' || series_uid || E'\\n', E'\\n')`,
  // Without a list of what is still to be added, which every search would read; one series in a hundred objects is new.
  `create index series_search on series using gin (search_text gin_trgm_ops) with (fastupdate = off)`,
  `create index series_modality on series (organization_id, modality, series_uid)`,
  `create index series_images on series (organization_id, images, series_uid)`,
  `create index series_source on series (organization_id, lower(source) collate "C", series_uid)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
