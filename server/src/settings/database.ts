import { address, Flag, optional, setting, whole } from './setting.ts'

/** The database. */
export const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded database',
    address('postgres:', 'postgresql:'),
    { isSecret: true },
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    'Address of the PostgreSQL itself, where DATABASE_URL is that of a pooler which gives connections away after each ' +
      'transaction (PgBouncer): news between servers and migrations go there',
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
