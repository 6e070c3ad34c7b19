import pg from 'pg'
import type { DatabaseHosts } from './databaseHosts.ts'
import { isLineLost, takesNoWrites } from './lostLine.ts'
import { DatabaseAway, stepTimeoutMs } from './patience.ts'
import { isPlanOutdated, nameOf } from './prepared.ts'

/** Until a connection is made, or one of the pool is free. */
const connectTimeoutMs = 4000
const probeEveryMs = 500
/** Which of several hosts takes writes. */
const askAgainMs = 5000

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
 * prepared in it, and a statement that takes too long is cancelled from here. Of several hosts it uses the one that
 * takes writes, and lets go of every connection to another.
 */
export function openLimitedPool(hosts: DatabaseHosts, max: number, isPooled = false): pg.Pool {
  class Client extends pg.Client {
    readonly address = hosts.address

    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionString: hosts.address })
    }
  }
  const pool = new pg.Pool({
    Client,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    application_name: 'dmp',
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  const breaker = createBreaker(pool, hosts)
  const prepare = keepPlans()
  pool.on('connect', (client) => {
    // Its query says it as well; without a listener the loss of a line would end the process.
    client.on('error', () => undefined)
    const { address } = client as Client & pg.PoolClient
    client.once(
      'end',
      hosts.onMove(() => address === hosts.address || breakLine(client)),
    )
    const query = client.query.bind(client) as Query
    if (isPooled) limitSteps(client, cancelLate(client, query, address), cancelGraceMs, breaker)
    else limitSteps(client, setTime(prepare(query)), 0, breaker)
  })
  if (hosts.areSeveral) {
    // One that a fail-over left behind takes writes all the same, and they would be lost.
    const watch = setInterval(breaker.doubt, askAgainMs).unref()
    const end = pool.end.bind(pool) as Ask
    pool.end = ((...given: unknown[]) => {
      clearInterval(watch)
      return end(...given)
    }) as typeof pool.end
  }
  const connect = pool.connect.bind(pool) as Ask
  pool.connect = ((...given: unknown[]) => {
    const callback = given[0] as ((error: Error) => void) | undefined
    if (!breaker.isAway()) return watchConnect(connect, callback, breaker)
    if (!callback) return Promise.reject(new DatabaseAway())
    callback(new DatabaseAway())
  }) as typeof pool.connect
  return pool
}

/**
 * A connection that cannot be made in time says as much as a step without an answer; a pool that is used up does not.
 */
function watchConnect(connect: Ask, callback: ((error: Error) => void) | undefined, { doubt, hear }: Breaker): unknown {
  const judge = (error: Error | undefined): void => {
    if (error?.message.includes('due to connection timeout')) doubt()
    else if (error) hear(error)
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
function limitSteps(client: pg.PoolClient, ask: Query, graceMs: number, breaker: Breaker): void {
  const askInTime = async (...given: unknown[]): Promise<unknown> => {
    const timer = setTimeout(() => {
      breaker.doubt()
      breakLine(client)
    }, stepTimeoutMs() + graceMs)
    try {
      return await ask(...given)
    } catch (cause) {
      breaker.hear(cause)
      throw cause
    } finally {
      clearTimeout(timer)
    }
  }
  client.query = ((...given: unknown[]) => {
    const callback = given.at(-1)
    if (typeof callback !== 'function') return askInTime(...given)
    return void askInTime(...given.slice(0, -1)).then(
      (result) => process.nextTick(callback as Ask, undefined, result),
      (cause: unknown) => process.nextTick(callback as Ask, cause),
    )
  }) as typeof client.query
}

/** Its queries fail, and the pool makes another one. */
function breakLine(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

/**
 * Has statements planned once for each connection (`prepared`). After a migration that changed the type of one of their
 * columns nothing is prepared any more; in a transaction the one that meets it fails, and its write begins again.
 */
function keepPlans(): (query: Query) => Query {
  let arePlansGood = true
  return (query) =>
    async (...given) => {
      const [text, values] = given
      const name = arePlansGood && typeof text === 'string' ? nameOf(text) : undefined
      if (name === undefined) return query(...given)
      try {
        return await query({ name, text, values })
      } catch (cause) {
        if (!isPlanOutdated(cause)) throw cause
        arePlansGood = false
        return query(...given).catch(() => Promise.reject(cause as Error))
      }
    }
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
  /** Of several hosts, another one may take the writes now. */
  hear(cause: unknown): void
}

function createBreaker(pool: pg.Pool, hosts: DatabaseHosts): Breaker {
  let isAway = false
  let isProbing = false
  const probe = async (): Promise<void> => {
    isProbing = true
    isAway = !(await hosts.find())
    if (!isAway) isProbing = false
    else if (!pool.ending) setTimeout(() => void probe(), probeEveryMs).unref()
  }
  const doubt = (): void => {
    if (!isProbing) void probe()
  }
  return {
    isAway: () => isAway,
    doubt,
    hear: (cause) => {
      if (hosts.areSeveral && (isLineLost(cause) || takesNoWrites(cause))) doubt()
    },
  }
}
