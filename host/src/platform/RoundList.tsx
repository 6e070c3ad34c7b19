import type { ShownRound } from '@dmp/contract/releaseRounds'
import { Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { outcomeWords, toOutcomeTone } from './verdicts.ts'

/** The verdict on a round: the worst of its journeys. */
const toWord = ({ failed, flaky, passed }: ShownRound): string =>
  outcomeWords[failed > 0 ? 'failed' : flaky > 0 ? 'flaky' : passed > 0 ? 'passed' : 'skipped']

const formatJourneys = ({ passed, failed, flaky, skipped }: ShownRound): string =>
  [
    toPassedText(passed),
    ...(failed > 0 ? [toFailedText(failed)] : []),
    ...(flaky > 0 ? [toUnsteadyText(flaky)] : []),
    ...(skipped > 0 ? [toUntriedText(skipped)] : []),
  ].join(', ')

const toPassedText = (count: number): string => `${count} passed`
const toFailedText = (count: number): string => `${count} failed`
const toUnsteadyText = (count: number): string => `${count} unsteady`
const toUntriedText = (count: number): string => `${count} not tried`
const toSuiteText = (by: string): string => `${by}, whole run`

const columns: Column<ShownRound>[] = [
  { title: 'Ended', field: 'endedDate', type: 'date', width: 190 },
  { title: 'Verdict', value: toWord, type: 'status', tone: toOutcomeTone, width: 110 },
  { title: 'By', value: ({ by, kind }) => (kind === 'suite' ? toSuiteText(by) : by) },
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
