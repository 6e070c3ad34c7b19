import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration'
import { isDiskFull } from '../core/isDiskFull.ts'
import { StartFailure } from '../core/StartFailure.ts'
import type { Db } from './client.ts'
import { migrations } from './migrations/index.ts'
import { patiently } from './patience.ts'

const migrationMinutes = 24 * 60
/** For a table, at a time. */
const lockMs = 700

/**
 * Brings the database to this version, or only makes sure that it is there. Several servers may do it at once: Kysely
 * takes a lock on PostgreSQL. Returns the names of migrations that a newer version made and this one can live with.
 */
export async function migrate(db: Db, { migrates = true } = {}): Promise<readonly string[]> {
  const executedNames = await patiently(() => listExecuted(db))
  const missingNames = Object.keys(migrations).filter((name) => !executedNames.includes(name))
  if (!migrates) assertNothingMissing(missingNames)
  const newerNames = executedNames.filter((name) => !Object.hasOwn(migrations, name))
  // Of nothing to do, Kysely makes sure in a quarter of the time that a start takes.
  if (migrates && missingNames.length > 0) await migrateToLatest(db, newerNames.filter(isExpansion))
  else assertExpansions(newerNames)
  return newerNames
}

/** A migration that takes away what an earlier version needs says so in its name, which is all that one sees of it. */
export const isExpansion = (name: string): boolean => !name.includes('-contract-')

async function listExecuted(db: Db): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ table: string | null }>`
    select to_regclass('kysely_migration')::text as "table"`.execute(db)
  if (tables[0]?.table == null) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function migrateToLatest(db: Db, bearableNames: readonly string[]): Promise<void> {
  const done: Migration = { up: async () => undefined }
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        ...Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, inTime(migration)])),
        ...Object.fromEntries(bearableNames.map((name) => [name, done])),
      }),
    },
    // Work that goes on side by side lands in another order than that of its numbers.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrateInTime(migrator)
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  const why = error instanceof Error ? error.message : String(error)
  if (isDiskFull(error))
    throw new StartFailure(
      `The disk of the database has no room for what this version changes in it (${why}). It changed nothing.`,
      'Free some hundred megabytes there, or move the database to a larger disk, and start again.',
    )
  throw new StartFailure(
    failed
      ? `The database could not be migrated to this version: ${failed} failed (${why}). It changed nothing.`
      : `The database does not match this version (${why}).`,
    restoreCure,
  )
}

/**
 * Whoever waits for a table lets nobody else get to it who comes later, for as long as somebody has it: a long
 * transaction, or a vacuum that cannot be put off. So the wait ends soon, and begins again a moment later.
 */
const inTime = ({ up }: Migration): Migration => ({
  up: async (db) => {
    await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(db)
    await up(db)
  },
})

async function migrateInTime(migrator: Migrator): Promise<MigrationResultSet> {
  for (const end = performance.now() + migrationMinutes * 60_000; ; await pause(lockMs)) {
    const found = await patiently(() => migrator.migrateToLatest(), migrationMinutes)
    const isLocked = (found.error as { code?: string } | undefined)?.code === '55P03'
    if (!isLocked || performance.now() > end) return found
  }
}

const restoreCure = 'Start the version that wrote it, or restore a backup and try again.'

function assertNothingMissing(missingNames: readonly string[]): void {
  if (missingNames.length > 0) throw behind(missingNames.join(', '))
}

function assertExpansions(newerNames: readonly string[]): void {
  const name = newerNames.find((newerName) => !isExpansion(newerName))
  if (name !== undefined) throw new StartFailure(`The database does not match this version (${name}).`, restoreCure)
}

/** For a server that may not migrate. */
export const behind = (missing: string): StartFailure =>
  new StartFailure(
    `The database is behind this version (${missing}), and DMP_MIGRATE=0 keeps the server from migrating it.`,
    'Run npm run migrate with this version, then start the server again.',
  )
