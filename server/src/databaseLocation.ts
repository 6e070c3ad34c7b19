import type { FastifyBaseLogger } from 'fastify'
import type { DatabaseLocation } from './db/client.ts'
import type { Settings } from './settings/settings.ts'

/** Where the database of these settings lies. */
export const toLocation = (settings: Settings, log: FastifyBaseLogger): DatabaseLocation => {
  const { databaseUrl, databaseDirectUrl, databasePool, dataDir, diskReserveMegabytes } = settings
  return databaseUrl === undefined
    ? {
        kind: 'folder',
        folder: dataDir,
        leastFreeBytes: Math.min(databaseFloorBytes, (diskReserveMegabytes * 2 ** 20) / 2),
        onReopened: () =>
          log.warn('a statement of the embedded database took too long and was ended; it was opened anew'),
        onStuck: () => endStuckProcess(log),
      }
    : { kind: 'postgres', url: databaseUrl, poolSize: databasePool, isPooled: databaseDirectUrl !== undefined }
}

/** The same for a command, which goes past a pooler: it may hold a connection for long. */
export const toCommandLocation = (
  { databaseUrl, databaseDirectUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
  poolSize = 2,
): DatabaseLocation =>
  databaseUrl === undefined
    ? { kind: 'folder', folder: dataDir }
    : { kind: 'postgres', url: databaseDirectUrl ?? databaseUrl, poolSize }

/** Two segments of PostgreSQL's log, and as much again for what they are about. */
const databaseFloorBytes = 48 * 2 ** 20

/** Everything that was answered is on the disk; the next start finds it. */
function endStuckProcess(log: FastifyBaseLogger): void {
  const sentence =
    'The embedded database has not answered for a minute, so the server ends. Nothing that was confirmed is lost. ' +
    'Make sure that the disk of the data folder has free space and responds, and start the server again.'
  log.fatal(sentence)
  process.stderr.write(`${sentence}\n`)
  process.exit(70)
}
