import { Migrator } from 'kysely/migration'
import type { Db } from '../db/client.ts'
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
