import type { FastifyInstance } from 'fastify'
import { recordQuiet } from '../../db/changes.ts'
import type { Dependencies } from '../../dependencies.ts'

const everyMs = 2000

/** Tells programs of series that have become quiet. Every server looks; the first one to lock the feed tells. */
export function watchQuietSeries(app: FastifyInstance, deps: Dependencies): void {
  const { db, settings, changeNews, log } = deps
  let running: Promise<void> | undefined
  const round = async (): Promise<void> => {
    for (const organizationId of await recordQuiet(db, settings.quietSeconds)) changeNews(organizationId)
  }
  const timer = setInterval(() => {
    running ??= round()
      .catch((error: unknown) =>
        log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'quiet series were not told'),
      )
      .finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  app.addHook('preClose', async () => {
    clearInterval(timer)
    await running
  })
}
