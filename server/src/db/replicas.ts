import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { splitAddress } from '../core/databaseAddress.ts'
import { Refusal } from '../core/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Database, Db } from './client.ts'
import { findNeeded, hasReplayed, type Needed } from './lastWrites.ts'
import { isTooLong } from './patience.ts'
import { Replica, lookStatement, toLook, type LeftOut, type Look, type LookRow, type ReplicaState } from './replica.ts'
import { isForReplicas, type ReplicaCall } from './replicaCalls.ts'
import { ReplicaLag } from './replicaLag.ts'

const lookEveryMs = 1000
/** A replica that is further behind is left out. */
const mostLagMs = 10_000
/** What was seen says nothing any more after this time: this process stood still, or a look takes long. */
const lookedForMs = 8000

/** Whoever reads: somebody who signed in, or the machine of an API token. */
interface Reader {
  readonly userId: string
  readonly ownerId?: string
}

/**
 * Reads from a replica that has everything which its reader wrote before, or else from the server that takes writes. It
 * may run twice: what it is given reads, and does nothing else.
 */
export type Reading = <T>(read: (db: Db) => Promise<T>) => Promise<T>

/** Where reads were answered. */
export type ReadFrom = 'replica' | 'primary' | 'again'

export class Replicas {
  readonly #database: Pick<Database, 'db'>
  readonly #log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  readonly #all: readonly Replica[]
  readonly #lag = new ReplicaLag()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #lookedMs = -Infinity
  /** The server that takes writes did not answer when it was last asked. */
  #isUnknown = false
  readonly counts: Record<ReadFrom, number> = { replica: 0, primary: 0, again: 0 }

  constructor(
    database: Pick<Database, 'db'>,
    settings: Pick<Settings, 'databaseReadUrl' | 'databaseDirectUrl' | 'databasePool'>,
    log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  ) {
    const { databaseReadUrl: url, databaseDirectUrl, databasePool } = settings
    this.#database = database
    this.#log = log
    this.#all =
      url === undefined
        ? []
        : splitAddress(url).map((address) => new Replica(address, databasePool, databaseDirectUrl !== undefined))
  }

  /** Where there are none, nothing is looked at and nothing is counted. */
  get areThere(): boolean {
    return this.#all.length > 0
  }

  /** For metrics. */
  get list(): readonly { readonly state: ReplicaState; readonly lagMs: number }[] {
    return this.#all
  }

  /** Looks at them now, and then again and again. */
  async watch(): Promise<void> {
    if (!this.areThere) return
    await this.#lookOnce()
    this.#timer = setInterval(() => void this.#lookOnce(), lookEveryMs).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await Promise.all(this.#all.map((replica) => replica.close()))
  }

  /**
   * How this request reads. Ask before it records anything itself, or no replica would have that yet. With an
   * organization, a program finds everything that the organization's feed of changes has told it.
   *
   * @example
   * const reading = await replicas.begin(scan.list, viewer)
   * const { rows } = await reading((db) => listSeries(db, store, input))
   */
  async begin(call: ReplicaCall, reader: Reader | undefined, organizationId: string | null = null): Promise<Reading> {
    const { db } = this.#database
    const replica = reader && isForReplicas(call) ? this.#choose(reader.userId) : undefined
    if (!reader || !replica) return (read) => read(db)
    const needed = await findNeeded(db, reader.userId, reader.ownerId === undefined ? null : organizationId)
    return this.#createReading(replica, needed)
  }

  /** The same in one step. */
  async read<T>(call: ReplicaCall, reader: Reader | undefined, read: (db: Db) => Promise<T>): Promise<T> {
    return (await this.begin(call, reader))(read)
  }

  #createReading(replica: Replica, needed: Needed): Reading {
    const { db } = this.#database
    let isThere: boolean | undefined
    return async (read) => {
      try {
        // What it has once, it keeps.
        isThere ??= await replica.run((copy) => hasReplayed(copy, needed))
        if (isThere) {
          const answer = await replica.run(read)
          this.counts.replica += 1
          return answer
        }
      } catch (cause) {
        if (cause instanceof Refusal || isTooLong(cause)) throw cause
        // Lost, left out, behind by a migration, in the way of what it replays: whatever it is, there is another one.
        isThere = false
        this.counts.again += 1
        return read(db)
      }
      this.counts.primary += 1
      return read(db)
    }
  }

  /** Always the same one for a person while none comes or goes, so that nobody goes back in time. */
  #choose(personId: string): Replica | undefined {
    if (performance.now() - this.#lookedMs > lookedForMs) return undefined
    const used = this.#all.filter(({ state }) => state === 'used')
    return used[Number.parseInt(personId.slice(0, 8), 16) % used.length]
  }

  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look()
      .then(
        () => this.#hear(undefined),
        (cause: unknown) => this.#hear(cause),
      )
      .finally(() => (this.#looking = undefined))
    return this.#looking
  }

  /** Of who takes writes: without an answer nobody knows how far behind a replica is. */
  #hear(cause: unknown): void {
    const isUnknown = cause !== undefined
    if (isUnknown && !this.#isUnknown)
      this.#log.warn(
        { reason: cause instanceof Error ? cause.message : 'unknown' },
        'no replica is read from: the database does not say how far it has come',
      )
    this.#isUnknown = isUnknown
  }

  async #look(): Promise<void> {
    const { rows } = await sql<LookRow>`${sql.raw(lookStatement)}`.execute(this.#database.db)
    const primary = toLook(rows[0])
    if (!primary) return
    this.#lag.add(primary.position, performance.now())
    await Promise.all(
      this.#all.map(async (replica) => {
        const found = await replica.look()
        this.#judge(replica, primary, found)
      }),
    )
    this.#lookedMs = performance.now()
  }

  #judge(replica: Replica, primary: Look, found: Look | undefined): void {
    const lagMs = found ? this.#lag.of(found.position, performance.now()) : Infinity
    const state = judge(primary, found, { lagMs, earlierPosition: replica.position })
    replica.position = found?.position ?? 0
    replica.lagMs = lagMs
    if (!replica.become(state)) return
    if (state === 'used') this.#log.info(`the replica ${replica.name} is read from`)
    else this.#log.warn(`the replica ${replica.name} is not read from: ${reasons[state]}`)
  }
}

/** Looks at them once before anybody is answered. */
export async function openReplicas(...given: ConstructorParameters<typeof Replicas>): Promise<Replicas> {
  const replicas = new Replicas(...given)
  await replicas.watch()
  return replicas
}

const reasons: Readonly<Record<LeftOut, string>> = {
  unreachable: 'it does not answer',
  behind: `it is more than ${mostLagMs / 1000} seconds behind`,
  promoted: 'it takes writes itself',
  wrong: 'it is a copy of another database, or has taken another way at a fail-over',
}

function judge(
  primary: Look,
  found: Look | undefined,
  { lagMs, earlierPosition }: { readonly lagMs: number; readonly earlierPosition: number },
): ReplicaState {
  if (!found) return 'unreachable'
  if (found.system !== primary.system || found.database !== primary.database) return 'wrong'
  if (!found.isStandby) return 'promoted'
  // One that is ahead of where the writes are has what a fail-over has lost.
  if (found.timeline !== primary.timeline || earlierPosition > primary.position) return 'wrong'
  return lagMs > mostLagMs ? 'behind' : 'used'
}
