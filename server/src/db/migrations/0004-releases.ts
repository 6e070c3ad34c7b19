import { sql, type Kysely } from 'kysely'

/**
 * What pages told of releases: how often what was seen of which release, minute by minute. Nothing says who looked at
 * what.
 */
const statements = [
  `create table release_sightings (
    part text not null,
    release_id text not null,
    minute timestamptz not null,
    what text not null,
    pages int not null,
    primary key (part, release_id, minute, what))`,
  `create index release_sightings_minute on release_sightings (minute)`,

  // One row per person who met a failure of a release, under a hash that holds for this release only.
  `create table release_witnesses (
    part text not null,
    release_id text not null,
    witness text not null,
    seen_date timestamptz not null default now(),
    primary key (part, release_id, witness))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
