import { address, optional, setting, whole } from './setting.ts'

/** The database. */
export const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded database',
    address('postgres:', 'postgresql:'),
    { isSecret: true },
  ),
  databasePool: setting('DMP_DATABASE_POOL', 'Most connections to PostgreSQL', whole(2, 500), { fallback: '20' }),
} as const
