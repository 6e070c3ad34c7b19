import pg from 'pg'
import { DatabaseAway, stepTimeoutMs } from './patience.ts'

/** Until a connection is made, or one of the pool is free. */
const connectTimeoutMs = 4000
const probeTimeoutMs = 2000
const probeEveryMs = 500

type Ask = (...given: unknown[]) => unknown
type Query = (...given: unknown[]) => Promise<unknown>

/** PostgreSQL itself ends a statement so long before its caller gives up: dropping the connection would not end it. */
const cancelMarginMs = 500
/** So much longer its caller waits behind a pooler, where the wish to end it is on its way over another connection. */
const cancelGraceMs = 2000

/**
 * The pool of a PostgreSQL that may hang. It ends a statement that takes too long itself; where it does not, the step
 * loses its connection, and unless a probe is answered, nobody waits for another one until one is. Callers get an error
 * that is answered with 503. Behind a pooler (`isPooled`) a session belongs to one transaction: nothing is set or
 * prepared in it, and a statement that takes too long is cancelled from here.
 */
export function openLimitedPool(connectionString: string, max: number, isPooled = false): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    application_name: 'dmp',
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  const breaker = createBreaker(pool, connectionString)
  pool.on('connect', (client) => {
    // Its query says it as well; without a listener the loss of a line would end the process.
    client.on('error', () => undefined)
    const query = client.query.bind(client) as Query
    if (isPooled) limitSteps(client, cancelLate(client, query, connectionString), cancelGraceMs, breaker.doubt)
    else limitSteps(client, setTime(query), 0, breaker.doubt)
  })
  const connect = pool.connect.bind(pool) as Ask
  pool.connect = ((...given: unknown[]) => {
    const callback = given[0] as ((error: Error) => void) | undefined
    if (!breaker.isAway()) return watchConnect(connect, callback, breaker.doubt)
    if (!callback) return Promise.reject(new DatabaseAway())
    callback(new DatabaseAway())
  }) as typeof pool.connect
  return pool
}

/**
 * A connection that cannot be made in time says as much as a step without an answer; a pool that is used up does not.
 */
function watchConnect(connect: Ask, callback: ((error: Error) => void) | undefined, doubt: () => void): unknown {
  const judge = (error: Error | undefined): void => {
    if (error?.message.includes('due to connection timeout')) doubt()
  }
  if (callback)
    return connect((error: Error, ...more: unknown[]) => {
      judge(error)
      ;(callback as Ask)(error, ...more)
    })
  return (connect() as Promise<unknown>).catch((error: Error) => {
    judge(error)
    throw error
  })
}

/** Gives each query of the client its time; one that is over here, too, ends the connection. */
function limitSteps(client: pg.PoolClient, ask: Query, graceMs: number, onTimeout: () => void): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  client.query = ((...given: unknown[]) => {
    const timer = setTimeout(() => {
      onTimeout()
      stream.destroy()
    }, stepTimeoutMs() + graceMs)
    const callback = given.at(-1)
    if (typeof callback !== 'function') return ask(...given).finally(() => clearTimeout(timer))
    return void ask(...given.slice(0, -1))
      .finally(() => clearTimeout(timer))
      .then(
        (result) => process.nextTick(callback as Ask, undefined, result),
        (cause: unknown) => process.nextTick(callback as Ask, cause),
      )
  }) as typeof client.query
}

/** PostgreSQL ends what takes too long by itself: the session knows the time of each query. */
function setTime(query: Query): Query {
  // What the session has; undefined after what may have undone it.
  let sessionMs: number | undefined
  return async (...given) => {
    const wantedMs = stepTimeoutMs() - cancelMarginMs
    // In a transaction that has failed nothing can be set, and nothing takes long.
    if (wantedMs !== sessionMs)
      sessionMs = await query(`set statement_timeout = ${wantedMs}`).then(
        () => wantedMs,
        () => undefined,
      )
    try {
      return await query(...given)
    } catch (cause) {
      sessionMs = undefined
      throw cause
    } finally {
      if (typeof given[0] === 'string' && /^\s*rollback\b/i.test(given[0])) sessionMs = undefined
    }
  }
}

/**
 * A setting would stay with whoever has the connection next: what takes too long is cancelled by a message. A statement
 * that ends by itself meanwhile keeps its connection until the message has arrived, or it would end the next one.
 */
const cancelLate =
  (client: pg.PoolClient, query: Query, connectionString: string): Query =>
  async (first, ...more) => {
    let cancelling: Promise<void> | undefined
    const cancel = (): void => void (cancelling = cancelRunning(client, connectionString))
    const timer = setTimeout(cancel, stepTimeoutMs() - cancelMarginMs)
    try {
      return await query(withoutName(first), ...more)
    } finally {
      clearTimeout(timer)
      await cancelling
    }
  }

/** What was prepared lies in a session that the next query does not have. */
const withoutName = (first: unknown): unknown =>
  typeof first === 'object' && first !== null && 'name' in first ? { ...first, name: undefined } : first

/**
 * PostgreSQL takes the wish on a connection of its own (CancelRequest of its protocol) and says nothing to it: the end
 * of that connection tells that it was passed on.
 */
function cancelRunning(client: pg.PoolClient, connectionString: string): Promise<void> {
  const { processID, secretKey } = client as unknown as { readonly processID: number; readonly secretKey: number }
  const other = new pg.Client({ connectionString }) as unknown as {
    readonly connection: { on(event: 'error' | 'end', listener: () => void): void }
    cancel(of: unknown, query: null): void
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  // Where it does not come through, the connection is dropped a moment later.
  other.connection.on('error', () => resolve())
  other.connection.on('end', () => resolve())
  setTimeout(resolve, cancelMarginMs + cancelGraceMs)
  // The library compares the query with the one that is running; here it is the one whose time is over.
  other.cancel({ activeQuery: null, processID, secretKey }, null)
  return promise
}

interface Breaker {
  /** Nobody has to wait to learn that it does not answer. */
  isAway(): boolean
  /** Something took too long: a probe tells whether that was the database or only what it was asked. */
  doubt(): void
}

function createBreaker(pool: pg.Pool, connectionString: string): Breaker {
  let isAway = false
  let isProbing = false
  const probe = async (): Promise<void> => {
    isProbing = true
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeTimeoutMs, application_name: 'dmp' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      isAway = false
      isProbing = false
    } catch {
      isAway = true
      if (!pool.ending) setTimeout(() => void probe(), probeEveryMs).unref()
    } finally {
      void client.end().catch(() => undefined)
    }
  }
  return {
    isAway: () => isAway,
    doubt: () => {
      if (!isProbing) void probe()
    },
  }
}
