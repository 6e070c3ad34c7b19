import type { FastifyInstance } from 'fastify'
import { goRounds } from '../../core/rounds.ts'
import { recordQuiet } from '../../db/changes.ts'
import type { Dependencies } from '../../dependencies.ts'

const everyMs = 2000

/** Tells programs of series that have become quiet. Every server looks; the first one to lock the feed tells. */
export function watchQuietSeries(app: FastifyInstance, deps: Dependencies): void {
  const { db, settings, changeNews, log } = deps
  const round = async (): Promise<void> => {
    for (const organizationId of await recordQuiet(db, settings.quietSeconds)) changeNews(organizationId)
  }
  goRounds(app, { everyMs, round, log, failure: 'quiet series were not told' })
}
