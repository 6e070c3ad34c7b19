import { address, Flag, optional, setting, whole } from './setting.ts'

/** The database. */
export const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded database',
    address('postgres:', 'postgresql:'),
    { isSecret: true },
  ),
  databasePool: setting('DMP_DATABASE_POOL', 'Maximum number of connections to PostgreSQL', whole(2, 500), {
    fallback: '20',
  }),
  migrates: setting(
    'DMP_MIGRATE',
    'Whether the server migrates the database at its start; with 0 only npm run migrate does, and a server whose ' +
      'database is behind does not start',
    Flag,
    { fallback: '1' },
  ),
} as const
