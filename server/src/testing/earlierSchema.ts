import { Migrator } from 'kysely/migration'
import { openDatabase, type Database, type Db } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'

/** Gives an empty database the schema that it had before the migration of this number. */
export async function migrateUpTo(db: Db, number: string): Promise<void> {
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < number))
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => earlier },
    allowUnorderedMigrations: true,
  }).migrateToLatest()
  if (error) throw error
}

/** A database of before that migration in memory, with an organization. */
export async function openEarlier(number: string): Promise<{ database: Database; organizationId: string }> {
  const database = await openDatabase({ kind: 'memory' })
  await migrateUpTo(database.db, number)
  const { id } = await database.db
    .insertInto('organizations')
    .values({ name: 'Earlier-Clinic', status_by: 'System', region_id: null, datastore_id: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { database, organizationId: id }
}
