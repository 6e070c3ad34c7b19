import { Migrator } from 'kysely/migration'
import { StartFailure } from '../core/StartFailure.ts'
import type { Db } from './client.ts'
import { migrations } from './migrations/index.ts'
import { patiently } from './patience.ts'

/** Brings the database to this version. Several servers may do it at once: Kysely takes a lock on PostgreSQL. */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Work that goes on side by side lands in another order than that of its numbers.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await patiently(() => migrator.migrateToLatest(), 24 * 60)
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  const why = error instanceof Error ? error.message : String(error)
  throw new StartFailure(
    failed
      ? `The database could not be migrated to this version: ${failed} failed (${why}). It changed nothing.`
      : `The database does not match this version (${why}).`,
    'Start the version that wrote it, or restore a backup and try again.',
  )
}
