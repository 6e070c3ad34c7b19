import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ERRORS, type Lock, type Locker } from '@tus/server'
import type { Bus } from '../../../db/bus.ts'
import type { Db } from '../../../db/client.ts'
import { giveLeaseBack, renewLease, takeLease } from './upload.repository.ts'

/** After a server has died, its uploads go on elsewhere that much later. */
const leaseSeconds = 8
const renewMs = 2000
const retryMs = 100
/** Longer than a lease, so that whoever goes on after a server has died waits and is not refused. */
const patienceMs = 12_000

interface Lease {
  readonly holder: string
  readonly letGo: () => void
  readonly renewing: NodeJS.Timeout
  /** What still writes by it. */
  work: Promise<unknown>
}

/**
 * Of all servers one request at a time writes to an upload. It holds the row by a lease and is asked to let go when
 * another one waits; the lease of a server that has died or hangs runs out, and what that one still does is not
 * acknowledged.
 */
export class UploadLeases {
  readonly #db: Db
  readonly #bus: Pick<Bus, 'publish'>
  readonly #held = new Map<string, Lease>()

  constructor(db: Db, bus: Pick<Bus, 'publish' | 'subscribe'>) {
    this.#db = db
    this.#bus = bus
    bus.subscribe((news) => {
      if (news.kind === 'uploadWanted') this.#held.get(news.uploadId)?.letGo()
    })
  }

  /** Throws where nobody lets go in time. What no row tells of is not held. */
  async take(uploadId: string, signal: AbortSignal | undefined, letGo: () => void): Promise<void> {
    const holder = randomUUID()
    const began = performance.now()
    let told = -Infinity
    while ((await takeLease(this.#db, { id: uploadId, holder, seconds: leaseSeconds })) === 'held') {
      const now = performance.now()
      if (signal?.aborted === true || now - began > patienceMs) throw ERRORS.ERR_LOCK_TIMEOUT
      if (now - told > 1000) {
        this.#bus.publish({ kind: 'uploadWanted', uploadId })
        told = now
      }
      await pause(retryMs)
    }
    const renewing = setInterval(() => void this.#renew(uploadId, holder), renewMs).unref()
    this.#held.set(uploadId, { holder, letGo, renewing, work: Promise.resolve() })
  }

  /** By whom the upload is held here. */
  holderOf(uploadId: string): string | undefined {
    return this.#held.get(uploadId)?.holder
  }

  /** It is not given back before this has ended. */
  during<T>(uploadId: string, work: Promise<T>): Promise<T> {
    const lease = this.#held.get(uploadId)
    if (lease) lease.work = work.catch(() => undefined)
    return work
  }

  async giveBack(uploadId: string): Promise<void> {
    const lease = this.#held.get(uploadId)
    if (!lease) return
    await lease.work
    clearInterval(lease.renewing)
    this.#held.delete(uploadId)
    // Where the database is away, it runs out.
    await giveLeaseBack(this.#db, uploadId, lease.holder).catch(() => undefined)
  }

  async exclusively<T>(uploadId: string, act: () => Promise<T>): Promise<T> {
    await this.take(uploadId, undefined, () => undefined)
    try {
      return await act()
    } finally {
      await this.giveBack(uploadId)
    }
  }

  async #renew(id: string, holder: string): Promise<void> {
    try {
      if ((await renewLease(this.#db, { id, holder, seconds: leaseSeconds })) === false) return
    } catch {
      // The next time, or never: then it runs out.
      return
    }
    const lease = this.#held.get(id)
    if (lease?.holder === holder) lease.letGo()
  }
}

/** Within a server by the locks of the library, between servers by leases. */
export const lockBetweenServers = (local: Locker, leases: UploadLeases): Locker => ({
  newLock: (id): Lock => {
    const lock = local.newLock(id)
    return {
      lock: async (signal, requestRelease) => {
        await lock.lock(signal, requestRelease)
        try {
          await leases.take(id, signal, () => void requestRelease())
        } catch (cause) {
          await lock.unlock()
          throw cause
        }
      },
      unlock: async () => {
        await leases.giveBack(id)
        await lock.unlock()
      },
    }
  },
})
