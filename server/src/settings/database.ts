import * as v from 'valibot'
import { isDatabaseAddress, isReplicaAddress } from '../core/databaseAddress.ts'
import { Flag, optional, setting, whole } from './setting.ts'

const postgres = v.pipe(
  v.string('give an address'),
  v.check(
    isDatabaseAddress,
    'is not an address that starts with postgres:// or postgresql://, names one host or several with a comma between ' +
      'them, and asks for the one that takes writes (target_session_attrs=read-write, or nothing)',
  ),
)

const replicas = v.pipe(
  v.string('give an address'),
  v.check(
    isReplicaAddress,
    'is not an address that starts with postgres:// or postgresql://, names one host or several with a comma between ' +
      'them, and does not ask for the one that takes writes',
  ),
)

/** The database. */
export const databaseSettings = {
  databaseUrl: optional(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded database; several hosts that follow each other in fail-overs as ' +
      'postgres://user@a:5432,b:5432/name: the one that takes writes is used',
    postgres,
    { isSecret: true },
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    'Address of the PostgreSQL itself, where DATABASE_URL is that of a pooler which gives connections away after each ' +
      'transaction (PgBouncer): news between servers and migrations go there',
    postgres,
    { isSecret: true },
  ),
  databaseReadUrl: optional(
    'DATABASE_READ_URL',
    'Read replicas of the PostgreSQL, for lists and searches: one host or several, as ' +
      'postgres://user@c:5432,d:5432/name. Everybody finds there what they wrote, or is answered by DATABASE_URL',
    replicas,
    { isSecret: true },
  ),
  databasePool: setting(
    'DMP_DATABASE_POOL',
    'Maximum number of connections to PostgreSQL, and to each of its replicas',
    whole(2, 500),
    {
      fallback: '20',
    },
  ),
  migrates: setting(
    'DMP_MIGRATE',
    'Whether the server migrates the database at its start; with 0 only npm run migrate does, and a server whose ' +
      'database is behind does not start',
    Flag,
    { fallback: '1' },
  ),
} as const
