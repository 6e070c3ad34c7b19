import pg from 'pg'
import { openReplica, type Db } from './client.ts'
import { parsePosition } from './replicaLag.ts'

const lookTimeoutMs = 2000

/** What a server of PostgreSQL says of itself. */
export interface Look {
  readonly isStandby: boolean
  /** How far it has written, or replayed. */
  readonly position: number
  /** Of the whole installation: a copy has the number of what it was copied from. */
  readonly system: string
  readonly database: string
  /** Grows with each fail-over. */
  readonly timeline: number
}

/** What is flushed is what a replica can get; more of it may wait here for a moment. */
export const lookStatement = `select pg_is_in_recovery() as "isStandby", system_identifier::text as system,
    current_database()::text as database,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end::text as position,
    case when pg_is_in_recovery()
      then greatest(timeline_id, (select received_tli from pg_stat_wal_receiver limit 1))
      else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline
  from pg_control_system(), pg_control_checkpoint()`

export type LookRow = Omit<Look, 'position'> & { readonly position: string | null }

export const toLook = (row: LookRow | undefined): Look | undefined =>
  row && { ...row, position: row.position === null ? 0 : parsePosition(row.position) }

/** Why a replica is not read from. */
const leftOut = ['unreachable', 'behind', 'promoted', 'wrong'] as const
export type LeftOut = (typeof leftOut)[number]
export const replicaStates = ['used', ...leftOut] as const
export type ReplicaState = (typeof replicaStates)[number]

/** One replica: whether it may be read from, and its connections. */
export class Replica {
  /** Its host, for the log. */
  readonly name: string
  readonly db: Db
  readonly #looks: pg.Pool
  readonly #close: () => Promise<void>
  /** Until somebody has looked. */
  #state: ReplicaState = 'unreachable'
  #wasSeen = false
  /** What ends the reads under way. */
  readonly #leave = new Set<(why: Error) => void>()
  /** As it was last seen. */
  position = 0
  lagMs = Infinity

  constructor(address: string, poolSize: number, isPooled: boolean) {
    const { hostname, port } = new URL(address)
    this.name = `${hostname}:${port || 5432}`
    const { db, close } = openReplica(address, poolSize, isPooled)
    this.db = db
    this.#close = close
    // A connection of its own: the others may all be busy.
    this.#looks = new pg.Pool({
      connectionString: address,
      max: 1,
      connectionTimeoutMillis: lookTimeoutMs,
      query_timeout: lookTimeoutMs,
      application_name: 'dmp',
    })
    this.#looks.on('error', () => undefined)
  }

  get state(): ReplicaState {
    return this.#state
  }

  async look(): Promise<Look | undefined> {
    try {
      return toLook((await this.#looks.query<LookRow>(lookStatement)).rows[0])
    } catch {
      return undefined
    }
  }

  /** Returns whether that is news. Whoever reads from it at the moment goes on elsewhere at once. */
  become(state: ReplicaState): boolean {
    const isNews = state !== this.#state || !this.#wasSeen
    this.#wasSeen = true
    this.#state = state
    if (state !== 'used') for (const leave of this.#leave) leave(new Error(`The replica ${this.name} is left out.`))
    return isNews
  }

  /** Rejects as soon as it is left out; what it was asked may then go on for a while, and nobody hears the answer. */
  async run<T>(read: (db: Db) => Promise<T>): Promise<T> {
    const { promise: left, reject: leave } = Promise.withResolvers<never>()
    this.#leave.add(leave)
    const reading = read(this.db)
    reading.catch(() => undefined)
    try {
      return await Promise.race([reading, left])
    } finally {
      this.#leave.delete(leave)
    }
  }

  async close(): Promise<void> {
    await this.#looks.end()
    await this.#close()
  }
}
