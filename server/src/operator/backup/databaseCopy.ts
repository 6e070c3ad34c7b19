import { execFile } from 'node:child_process'
import { constants, globSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { StartFailure } from '../../core/StartFailure.ts'
import type { Database } from '../../db/client.ts'
import { DatabaseHosts } from '../../db/databaseHosts.ts'
import { databaseFolder, dumpFile } from './backupFolder.ts'

const run = promisify(execFile)

/** A clone where the file system has them: then it costs no time and no room. */
export const copyMode = constants.COPYFILE_FICLONE

/**
 * The rows of one moment. Of an embedded database its files, while its one connection is held: nobody writes meanwhile,
 * and statements wait for as long as copying takes.
 */
export async function copyEmbedded({ db }: Pick<Database, 'db'>, dataDir: string, set: string): Promise<Date> {
  return db.connection().execute(async (held) => {
    await sql`checkpoint`.execute(held)
    const moment = new Date()
    await cp(join(dataDir, 'database'), join(set, databaseFolder), { recursive: true, mode: copyMode })
    return moment
  })
}

/** The rows of one moment, by PostgreSQL's own pg_dump: others read and write meanwhile. */
export async function dumpPostgres(address: string, set: string, signal: AbortSignal): Promise<Date> {
  const moment = new Date()
  await runProgram('pg_dump', ['--format=custom', '--no-owner', `--file=${join(set, dumpFile)}`], address, signal)
  return moment
}

/** Into an empty database. */
export const restoreDump = (address: string, set: string, signal: AbortSignal): Promise<void> =>
  runProgram(
    'pg_restore',
    // The name of the database is given where the environment is no substitute for it.
    ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${nameOf(address)}`, join(set, dumpFile)],
    address,
    signal,
  )

const nameOf = (address: string): string => decodeURIComponent(new URL(address).pathname.slice(1))

async function runProgram(
  name: string,
  options: readonly string[],
  addresses: string,
  signal: AbortSignal,
): Promise<void> {
  const program = findProgram(name)
  const hosts = new DatabaseHosts(addresses)
  if (hosts.areSeveral) await hosts.find()
  try {
    await run(program, [...options], { env: toEnvironment(hosts.address), signal })
  } catch (cause) {
    const { stderr } = cause as { stderr?: string }
    const [said = 'it was ended'] = (stderr ?? '').trim().split('\n')
    throw new StartFailure(`${name} could not do its work: ${said}`)
  }
}

/** A password among a program's arguments would be everybody's on the machine. */
function toEnvironment(address: string): Record<string, string> {
  const { hostname, port, username, password, searchParams } = new URL(address)
  const given = {
    PGHOST: hostname || searchParams.get('host'),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: nameOf(address),
    PGSSLMODE: searchParams.get('sslmode'),
    PGSSLROOTCERT: searchParams.get('sslrootcert'),
  }
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Where Debian, Red Hat and Homebrew put them: the newest, because it reads every server before it. */
const places = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin']

function findProgram(name: string): string {
  const found = places.flatMap((place) =>
    globSync(`${place}/${name}`).sort((one, other) => versionOf(other) - versionOf(one)),
  )
  if (found[0] !== undefined) return found[0]
  throw new StartFailure(
    `${name} is not installed. Install the client programs of PostgreSQL, of the version of the server or newer (Debian: postgresql-client).`,
  )
}

const versionOf = (path: string): number => Number(/(?:postgresql\/|pgsql-)(\d+)/.exec(path)?.[1] ?? 0)
