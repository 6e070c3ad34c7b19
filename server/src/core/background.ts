import type { FastifyBaseLogger } from 'fastify'

/** Work that goes on after an answer. The server waits for it before it stops. */
export function createBackground(log: FastifyBaseLogger): {
  add(work: Promise<unknown>): void
  finish(): Promise<void>
} {
  const running = new Set<Promise<unknown>>()
  return {
    add: (work) => {
      const watched = work
        .catch((error: unknown) =>
          log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'background work failed'),
        )
        .finally(() => running.delete(watched))
      running.add(watched)
    },
    finish: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
