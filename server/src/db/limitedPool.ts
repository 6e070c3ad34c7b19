import pg from 'pg'
import { DatabaseAway, stepTimeoutMs } from './patience.ts'

/** Until a connection is made, or one of the pool is free. */
const connectTimeoutMs = 4000
const probeTimeoutMs = 2000
const probeEveryMs = 500

type Ask = (...given: unknown[]) => unknown

/**
 * The pool of a PostgreSQL that may hang: a step that takes too long loses its connection, and until a probe is
 * answered nobody waits for another one. Its callers get an error that is answered with 503.
 */
export function openLimitedPool(connectionString: string, max: number): pg.Pool {
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
  pool.on('connect', (client) => limitSteps(client, breaker.trip))
  const connect = pool.connect.bind(pool) as Ask
  pool.connect = ((...given: unknown[]) => {
    const callback = given[0] as ((error: Error) => void) | undefined
    if (!breaker.isAway()) return watchConnect(connect, callback, breaker.trip)
    if (!callback) return Promise.reject(new DatabaseAway())
    callback(new DatabaseAway())
  }) as typeof pool.connect
  return pool
}

/**
 * A connection that cannot be made in time says as much as a step without an answer; a pool that is used up does not.
 */
function watchConnect(connect: Ask, callback: ((error: Error) => void) | undefined, trip: () => void): unknown {
  const judge = (error: Error | undefined): void => {
    if (error?.message.includes('due to connection timeout')) trip()
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

/** Gives each query of the client its time; one that is over ends the connection, and so the query. */
function limitSteps(client: pg.PoolClient, onTimeout: () => void): void {
  // Its query says it as well; without a listener the loss of a line would end the process.
  client.on('error', () => undefined)
  const query = client.query.bind(client) as Ask
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  client.query = ((...given: unknown[]) => {
    const timer = setTimeout(() => {
      onTimeout()
      stream.destroy()
    }, stepTimeoutMs())
    const callback = given.at(-1)
    if (typeof callback === 'function')
      return query(...given.slice(0, -1), (...answer: unknown[]) => {
        clearTimeout(timer)
        ;(callback as Ask)(...answer)
      })
    return (query(...given) as Promise<unknown>).finally(() => clearTimeout(timer))
  }) as typeof client.query
}

interface Breaker {
  isAway(): boolean
  trip(): void
}

function createBreaker(pool: pg.Pool, connectionString: string): Breaker {
  let isAway = false
  const probe = async (): Promise<void> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeTimeoutMs, application_name: 'dmp' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      isAway = false
    } catch {
      if (!pool.ending) setTimeout(() => void probe(), probeEveryMs).unref()
    } finally {
      void client.end().catch(() => undefined)
    }
  }
  return {
    isAway: () => isAway,
    trip: () => {
      if (isAway) return
      isAway = true
      void probe()
    },
  }
}
