import type { ShownJourney } from '@dmp/contract/releaseRounds'
import { Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { outcomeWords, toOutcomeTone } from './verdicts.ts'

const columns: Column<ShownJourney>[] = [
  { title: 'Outcome', value: ({ outcome }) => outcomeWords[outcome], type: 'status', tone: toOutcomeTone, width: 110 },
  { title: 'Journey', field: 'title' },
  { title: 'What failed', value: ({ sentence }) => sentence ?? '–' },
  { title: 'Parts', value: ({ parts }) => parts.join(', ') || '–' },
  { title: 'When', field: 'date', type: 'date', width: 190 },
]

/** Journeys that failed, and those that passed only at a second try. */
export function FailedJourneys({ journeys }: { journeys: readonly ShownJourney[] }) {
  const wrong = journeys.filter(({ outcome }) => outcome === 'failed' || outcome === 'flaky')
  const failedFirst = wrong.toSorted((a, b) => a.outcome.localeCompare(b.outcome) || a.title.localeCompare(b.title))
  return (
    <Section title="Failed journeys">
      <SimpleTable
        rows={failedFirst}
        columns={columns}
        label="Failed journeys"
        rowKey={({ area, title }) => `${area} ${title}`}
        emptyText="Nothing failed."
      />
    </Section>
  )
}
