import type { FastifyReply } from 'fastify'
import { FairTurns, type Turn } from '../core/fairTurns.ts'

/**
 * Answers are worked out on one thread. Two hundred requests of one person that arrive together stand in front of
 * everybody else's next step, however small each is; so most of them wait before their first step.
 */
const limits = {
  atOnce: 32,
  perCustomer: 16,
  perPerson: 8,
  perPersonBesideOthers: 3,
  waitingPerPerson: 1_000,
  waitingInAll: 10_000,
} as const

/** A request that takes longer waits for something else: the line, a disk, another thread, news. */
const defaultTurnMs = 100

export interface RequestTurns {
  /** Settles when the request may go on. Throws 503 where too many wait. */
  wait(turn: Turn, reply: FastifyReply): Promise<void>
}

export function createRequestTurns(turnMs = defaultTurnMs): RequestTurns {
  const turns = new FairTurns(limits)
  return {
    wait: async (turn, { raw }) => {
      const end = await turns.begin(turn)
      let isOver = false
      const endOnce = (): void => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        raw.off('close', endOnce).off('finish', endOnce)
        end()
      }
      const timer = setTimeout(endOnce, turnMs).unref()
      raw.once('close', endOnce).once('finish', endOnce)
      // The line may have closed meanwhile.
      if (raw.destroyed || raw.writableFinished) endOnce()
    },
  }
}
