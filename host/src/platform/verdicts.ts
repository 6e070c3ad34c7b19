import type { ShownJourney } from '@dmp/contract/releaseRounds'
import type { BadgeTone } from '@dmp/kit/ui'

type Outcome = ShownJourney['outcome']

export const hasFailed = ({ outcome }: Pick<ShownJourney, 'outcome'>): boolean => outcome === 'failed'

export const outcomeWords = { passed: 'Passed', failed: 'Failed', flaky: 'Unsteady', skipped: 'Not tried' } as const
const tones: Readonly<Record<Outcome, BadgeTone>> = {
  passed: 'success',
  failed: 'danger',
  flaky: 'warning',
  skipped: 'secondary',
}
const outcomes = Object.keys(tones) as Outcome[]
export const toOutcomeTone = (word: string): BadgeTone =>
  tones[outcomes.find((outcome) => outcomeWords[outcome] === word) ?? 'skipped']

/** The verdict on several journeys: the worst of them that ran. */
export const judge = (journeys: readonly Pick<ShownJourney, 'outcome'>[]): Outcome =>
  (['failed', 'flaky', 'passed'] as const).find((one) => journeys.some(({ outcome }) => outcome === one)) ?? 'skipped'
