import { sql, type Kysely } from 'kysely'

/**
 * Keys of a search by DICOMweb that stand in the attributes of a study. Names are rarely written in more than one
 * script, and rows without another spelling are not in its index.
 */
const spelled = (tag: string, spelling: string): string => `lower(attributes->'${tag}'->'Value'->0->>'${spelling}')`
const index = (name: string, expression: string): string =>
  `create index ${name} on studies (organization_id, (${expression}) text_pattern_ops) where ${expression} is not null`

const statements = [
  index('studies_ideographic_name', spelled('00100010', 'Ideographic')),
  index('studies_phonetic_name', spelled('00100010', 'Phonetic')),
  index('studies_study_id', `attributes->'00200010'->'Value'->>0`),
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
