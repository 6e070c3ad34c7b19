import { tidy } from '@dmp/release/tidy'
import type { FastifyInstance } from 'fastify'
import { isClockSteady } from '../../core/clock.ts'
import { goRounds } from '../../core/rounds.ts'
import type { Dependencies } from '../../dependencies.ts'

const everyMs = 6 * 3_600_000

/** Removes releases that nobody can get any more, as far as this server may write its store. */
export function tidyReleases(
  app: FastifyInstance,
  { releases, settings, log }: Pick<Dependencies, 'releases' | 'settings' | 'log'>,
): void {
  const { releaseKeepDays: days } = settings
  if (days === 0) return
  const round = async (): Promise<void> => {
    if (!isClockSteady()) return
    const removed = await tidy(releases, { days })
    if (removed.length > 0) log.info({ removed }, 'releases that nobody can get any more were removed')
  }
  goRounds(app, { everyMs, round, log, failure: 'old releases were not removed' })
}
