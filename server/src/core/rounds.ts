import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Why something failed, for the log. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')

interface Rounds {
  readonly everyMs: number
  readonly round: () => Promise<void>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** What the log says of a round that failed; the next one begins as usual. */
  readonly failure: string
}

/** Does something again and again behind the answers, never twice at once; a server that leaves waits for its end. */
export function goRounds(app: FastifyInstance, { everyMs, round, log, failure }: Rounds): void {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= round()
      .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, failure))
      .finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  app.addHook('preClose', async () => {
    clearInterval(timer)
    await running
  })
}
