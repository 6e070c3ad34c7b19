import type { ShownPart } from '@dmp/contract/releaseCalls'
import type { ShownJourney } from '@dmp/contract/releaseRounds'
import { Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { formatRelease } from './format.ts'
import { judge, outcomeWords, toOutcomeTone } from './verdicts.ts'

interface PartVerdict {
  readonly name: string
  readonly title: string
  readonly release: string
  readonly verdict: string
  readonly journeys: string
}

const columns: Column<PartVerdict>[] = [
  { title: 'Part', field: 'title' },
  { title: 'Release', field: 'release' },
  { title: 'Verdict', field: 'verdict', type: 'status', tone: toOutcomeTone },
  { title: 'Journeys', field: 'journeys' },
]

const toPassedText = (passed: number, all: number): string => `${passed} of ${all} passed`

/** Each live part, and how the journeys went that name it. */
export function PartVerdicts({ parts, journeys }: { parts: readonly ShownPart[]; journeys: readonly ShownJourney[] }) {
  const rows = parts.map(({ name, title, live }): PartVerdict => {
    const own = journeys.filter((journey) => journey.parts.includes(name) && journey.outcome !== 'skipped')
    const passed = own.filter(({ outcome }) => outcome === 'passed').length
    return {
      name,
      title,
      release: formatRelease(live),
      verdict: outcomeWords[judge(own)],
      journeys: own.length === 0 ? 'None names it' : toPassedText(passed, own.length),
    }
  })
  return (
    <Section title="Parts">
      <SimpleTable rows={rows} columns={columns} label="Parts" rowKey={({ name }) => name} />
    </Section>
  )
}
