import type { ShownRound } from '@dmp/contract/releaseRounds'
import { Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { judge, toOutcomeTone } from './verdicts.ts'

/** The verdict on a round: the worst of its journeys. */
const toWord = ({ failed, flaky, passed }: ShownRound): string =>
  judge([
    ...(failed > 0 ? [{ outcome: 'failed' } as const] : []),
    ...(flaky > 0 ? [{ outcome: 'flaky' } as const] : []),
    ...(passed > 0 ? [{ outcome: 'passed' } as const] : []),
  ])

const formatJourneys = ({ passed, failed, flaky, skipped }: ShownRound): string =>
  [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(flaky > 0 ? [`${flaky} unsteady`] : []),
    ...(skipped > 0 ? [`${skipped} not tried`] : []),
  ].join(', ')

const columns: Column<ShownRound>[] = [
  { title: 'Ended', field: 'endedDate', type: 'date', width: 190 },
  { title: 'Verdict', value: toWord, type: 'status', tone: toOutcomeTone, width: 110 },
  { title: 'By', value: ({ by, kind }) => (kind === 'suite' ? `${by}, whole run` : by) },
  { title: 'Journeys', value: formatJourneys },
  { title: 'Took', value: ({ seconds }) => `${seconds} s` },
  { title: 'Snapshot', value: ({ snapshot }) => snapshot.slice(0, 8) },
  { title: 'What came of it', value: ({ verdict }) => verdict ?? '–' },
]

/** The newest rounds of monitors, and the whole runs that testers told of. */
export function RoundList({ rounds }: { rounds: readonly ShownRound[] }) {
  return (
    <Section title="Rounds">
      <SimpleTable rows={rounds} columns={columns} label="Rounds" rowKey={({ id }) => id} />
    </Section>
  )
}
