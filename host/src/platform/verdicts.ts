import type { ShownJourney } from '@dmp/contract/releaseRounds'
import type { BadgeTone } from '@dmp/kit/ui'

export const hasFailed = ({ outcome }: Pick<ShownJourney, 'outcome'>): boolean => outcome === 'failed'

export const outcomeWords = { passed: 'Passed', failed: 'Failed', flaky: 'Unsteady', skipped: 'Not tried' } as const
const tones: Readonly<Record<string, BadgeTone>> = {
  Passed: 'success',
  Failed: 'danger',
  Unsteady: 'warning',
  'Not tried': 'secondary',
}
export const toOutcomeTone = (word: string): BadgeTone => tones[word] ?? 'secondary'

/** The verdict on several journeys: the worst of them that ran. */
export function judge(journeys: readonly Pick<ShownJourney, 'outcome'>[]): string {
  const worst = (['failed', 'flaky', 'passed'] as const).find((one) => journeys.some(({ outcome }) => outcome === one))
  return outcomeWords[worst ?? 'skipped']
}
