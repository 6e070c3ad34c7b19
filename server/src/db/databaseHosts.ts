import pg from 'pg'
import { splitAddress } from '../core/databaseAddress.ts'

const probeTimeoutMs = 2000

/** What a server of PostgreSQL says of itself. */
interface Answer {
  readonly at: number
  /** Grows with each fail-over: whoever missed one, and takes writes all the same, has the smaller number. */
  readonly timeline: number
}

/**
 * The hosts of one address, as PostgreSQL's own clients read it (libpq, "Specifying Multiple Hosts"):
 * `postgres://user@a:5432,b:5432/name`. One of them takes writes, and which one may change.
 *
 * @example
 * const hosts = new DatabaseHosts(databaseUrl)
 * if (await hosts.find()) new pg.Client({ connectionString: hosts.address })
 */
export class DatabaseHosts {
  readonly #addresses: readonly string[]
  readonly #listeners = new Set<() => void>()
  #at = 0
  #timeline = 0
  #finding: Promise<boolean> | undefined

  constructor(address: string) {
    this.#addresses = splitAddress(address)
  }

  get areSeveral(): boolean {
    return this.#addresses.length > 1
  }

  /** Of the host that took writes when last asked. */
  get address(): string {
    return this.#addresses[this.#at] ?? ''
  }

  /** Such as "dmp at a:5432, b:5432"; without who signs in. */
  get name(): string {
    const hosts = this.#addresses
      .map((address) => new URL(address))
      .map(({ hostname, port }) => `${hostname}:${port || 5432}`)
    return `${new URL(this.address).pathname.slice(1)} at ${hosts.join(', ')}`
  }

  /** Runs when `address` has become another one; returns what ends that. */
  onMove(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Whether a host answers that takes writes: `address` is its address then. Callers at the same time share it. */
  find(): Promise<boolean> {
    this.#finding ??= this.#find().finally(() => (this.#finding = undefined))
    return this.#finding
  }

  async #find(): Promise<boolean> {
    // Of one host nothing is asked but that it is there: it may be a pooler that knows nothing of timelines.
    const answers = await Promise.all(this.#addresses.map((address, at) => ask(address, at, this.areSeveral)))
    // The one in use comes first among equals, and none that a fail-over has left behind.
    const best = answers
      .filter((answer) => answer !== undefined)
      .filter(({ timeline }) => timeline >= this.#timeline)
      .sort(
        (one, other) => other.timeline - one.timeline || Number(other.at === this.#at) - Number(one.at === this.#at),
      )[0]
    if (!best) return false
    const isMove = best.at !== this.#at
    this.#at = best.at
    this.#timeline = best.timeline
    if (isMove) for (const listener of this.#listeners) listener()
    return true
  }
}

/** Undefined where it does not answer in time, or takes no writes. */
async function ask(address: string, at: number, isOneOfSeveral: boolean): Promise<Answer | undefined> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
    application_name: 'dmp',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    if (!isOneOfSeveral) return { at, timeline: 0 }
    const { rows } = await client.query<{ timeline: number | null }>(
      `select case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
         then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline`,
    )
    const timeline = rows[0]?.timeline
    return typeof timeline === 'number' ? { at, timeline } : undefined
  } catch {
    return undefined
  } finally {
    void client.end().catch(() => undefined)
  }
}
