import type { FastifyReply } from 'fastify'
import type { Viewer } from '../core/context.ts'
import { FairTurns } from '../core/fairTurns.ts'

/** Slow lines keep their places for a minute at most, so that there are more than the server reads at a time. */
const places = { atOnce: 32, perCustomer: 8, perPerson: 4, waitingPerPerson: 8, waitingInAll: 256 } as const

/** Long bodies of calls, each in memory until it is answered. Its place is taken before any of it is read (P18). */
export class LongBodies {
  readonly #turns = new FairTurns(places)

  /** Waits for a place, and keeps it until the answer is out or the line is closed. */
  async hold({ organizationId, userId }: Viewer, { raw }: FastifyReply): Promise<void> {
    const end = await this.#turns.begin({ customer: organizationId, person: userId })
    let isHeld = true
    const endOnce = (): void => {
      if (isHeld) end()
      isHeld = false
    }
    if (raw.destroyed || raw.socket?.destroyed) return endOnce()
    raw.once('close', endOnce).once('finish', endOnce)
  }
}
