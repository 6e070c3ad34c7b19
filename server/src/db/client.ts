import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import {
  Kysely,
  PGliteAdapter,
  PGliteDialect,
  PostgresDialect,
  sql,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Transaction,
} from 'kysely'
import type pg from 'pg'
import { findCurrentTurn } from '../core/asker.ts'
import { FairTurns } from '../core/fairTurns.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { openEmbedded, type Embedded, type EmbeddedOptions } from './embedded.ts'
import { quickBytes } from './embeddedBytes.ts'
import { extensions } from './embeddedFiles.ts'
import { lockFolder } from './folderLock.ts'
import { DatabaseHosts } from './databaseHosts.ts'
import { openLimitedPool } from './limitedPool.ts'
import { DatabaseAway } from './patience.ts'
import type { Tables } from './tables/index.ts'

export type Db = Kysely<Tables>
/** A query runs on it: the database, or a write's transaction. */
export type Source = Db | Transaction<Tables>

export interface Database {
  readonly db: Db
  /** Set on PostgreSQL: for what needs the driver itself (LISTEN, shared rate limits). */
  readonly pool?: pg.Pool
  /** Set on PostgreSQL: where it is. */
  readonly hosts?: DatabaseHosts
  /** Set on the embedded database. */
  readonly embedded?: Embedded
  /** Whose statement comes next. */
  readonly turns: FairTurns
  /** Resolves when the database answers; throws when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type DatabaseLocation =
  | {
      readonly kind: 'postgres'
      readonly url: string
      readonly poolSize: number
      /** A pooler is there that gives each transaction another connection: nothing is kept in a session. */
      readonly isPooled?: boolean
    }
  | ({ readonly kind: 'folder'; readonly folder: string } & EmbeddedOptions)
  /** For tests: nothing is kept; `prepared` is a dump of a migrated and seeded database. */
  | { readonly kind: 'memory'; readonly prepared?: Blob }

/**
 * Set while a transaction's callback runs: code that then asks for another connection would wait for itself on the
 * embedded database.
 */
export const insideTransaction = new AsyncLocalStorage<true>()

export async function openDatabase(place: DatabaseLocation): Promise<Database> {
  if (place.kind === 'postgres') return openPostgres(place)
  if (place.kind === 'memory') {
    const embedded = await PGlite.create({
      extensions,
      ...quickBytes,
      startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'],
      ...(place.prepared ? { loadDataDir: place.prepared } : {}),
    })
    return openedEmbedded(embedded)
  }
  const unlock = place.startThread ? () => undefined : lockFolder(place.folder)
  try {
    const embedded = await openEmbedded(place.folder, place)
    return openedEmbedded(embedded, unlock)
  } catch (error) {
    unlock()
    // Of whoever has the thread in place of this process, and with it the lock: it says the cure itself.
    if (error instanceof Error && error.name === 'StartFailure') throw new StartFailure(error.message)
    throw new StartFailure(
      `The embedded database in ${place.folder} cannot be opened (${error instanceof Error ? error.message : String(error)}).`,
      'Make the folder writable and check that its disk has space; if it is damaged, restore it from a backup. Removing the folder is a factory reset.',
    )
  }
}

async function openPostgres({
  url,
  poolSize,
  isPooled = false,
}: Extract<DatabaseLocation, { kind: 'postgres' }>): Promise<Database> {
  const hosts = new DatabaseHosts(url)
  const pool = openLimitedPool(hosts, poolSize, isPooled)
  try {
    if (hosts.areSeveral) await findFirst(hosts)
    await askFirst(pool)
  } catch (error) {
    await pool.end()
    const why =
      error instanceof Error && error.message ? error.message : String((error as { code?: unknown }).code ?? error)
    throw new StartFailure(`The database ${hosts.name} does not respond (${why}). Start it, or correct DATABASE_URL.`)
  }
  const turns = createTurns(poolSize)
  return opened(inFairTurns(new PostgresDialect({ pool }), turns), { pool, hosts, turns })
}

/** Of a copy that is only read from. It may be away at the start. */
export function openReplica(url: string, poolSize: number, isPooled: boolean): Pick<Database, 'db' | 'close'> {
  const hosts = new DatabaseHosts(url)
  const pool = openLimitedPool(hosts, poolSize, isPooled)
  const turns = createTurns(poolSize)
  return opened(inFairTurns(new PostgresDialect({ pool }), turns), { pool, hosts, turns })
}

const startTries = 3

/** A fail-over may be under way while a server starts. */
async function findFirst(hosts: DatabaseHosts): Promise<void> {
  for (let tries = 1; !(await hosts.find()); tries += 1) {
    if (tries === startTries) throw new Error('none of the hosts takes writes')
    await pause(1000)
  }
}

/** A server that starts loads modules: on a busy machine the answer waits for its thread until the time is over. */
async function askFirst(pool: pg.Pool): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return void (await pool.query('select 1'))
    } catch (error) {
      const isLate = error instanceof DatabaseAway || (error instanceof Error && /timeout/.test(error.message))
      if (!isLate || tries === startTries) throw error
      await pause(1000)
    }
}

function opened(
  dialect: Dialect,
  more: Pick<Database, 'pool' | 'hosts' | 'embedded' | 'turns'>,
  afterwards?: () => void,
): Database {
  const db = new Kysely<Tables>({ dialect })
  return {
    db,
    ...more,
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    close: async () => {
      await db.destroy()
      afterwards?.()
    },
  }
}

/** Kysely's own lock wakes everybody who waits, in no order that is fair: the turns are the lock. */
class EmbeddedAdapter extends PGliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function openedEmbedded(embedded: Embedded, afterwards?: () => void): Database {
  const turns = createTurns(1)
  const dialect = {
    ...inFairTurns(new PGliteDialect({ pglite: embedded }), turns),
    createAdapter: () => new EmbeddedAdapter(),
  }
  return opened(dialect, { embedded, turns }, afterwards)
}

/** Of several connections one is always left to others, and half of them to other people. */
const createTurns = (connections: number): FairTurns =>
  new FairTurns({
    atOnce: connections,
    perCustomer: Math.max(1, connections - 1),
    perPerson: Math.max(1, Math.ceil(connections / 2)),
    // What a person has under way is bounded already, and jobs may wait.
    waitingPerPerson: Infinity,
  })

/**
 * Connections in fair turns: somebody who asks for a thousand things delays another customer by one statement or one
 * transaction, not by a thousand (P18). Inside a write everything goes through its `trx`: another connection is not in
 * the transaction, and embedded there is only one.
 */
function inFairTurns(dialect: Dialect, turns: FairTurns): Dialect {
  const createDriver = (): Driver => {
    const driver = dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const release = driver.releaseConnection.bind(driver)
    const endTurn = new WeakMap<DatabaseConnection, () => void>()
    driver.acquireConnection = async (options) => {
      if (insideTransaction.getStore()) throw new Error('Inside a write use its trx, not parts.db.')
      const end = await turns.begin(findCurrentTurn())
      try {
        const connection = await acquire(options)
        endTurn.set(connection, end)
        return connection
      } catch (cause) {
        end()
        throw cause
      }
    }
    driver.releaseConnection = async (connection, options) => {
      const end = endTurn.get(connection)
      try {
        await release(connection, options)
      } finally {
        end?.()
      }
    }
    return driver
  }
  return {
    createDriver,
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}
