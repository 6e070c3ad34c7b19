import type { ShownJourney } from '@dmp/contract/releaseRounds'
import { Facts, Section } from '@dmp/kit/screen'
import { judge } from './verdicts.ts'

/** Which clauses of the requirements journeys tried on what is live. */
export function ClausesSection({
  journeys,
  untried,
}: {
  journeys: readonly ShownJourney[]
  untried: readonly string[] | null
}) {
  const byClause = Map.groupBy(
    journeys.flatMap(({ clauses, outcome }) => clauses.map((clause) => ({ clause, outcome }))),
    ({ clause }) => clause,
  )
  const listed = (verdict: ShownJourney['outcome']): string[] =>
    [...byClause].flatMap(([clause, results]) => (judge(results) === verdict ? [clause] : [])).sort()
  const failed = listed('failed')
  const left = [...new Set([...listed('skipped'), ...(untried ?? [])])].sort()
  return (
    <Section title="Clauses">
      <Facts
        facts={[
          { label: 'Tried and passed', value: String(listed('passed').length) },
          { label: 'Unsteady', value: listed('flaky').join(', ') },
          { label: 'Failed', value: failed.join(', ') },
          {
            label: 'Not tried by journeys',
            value:
              untried === null ? (
                'Unknown until a whole run is told'
              ) : (
                <details className="quality-clauses">
                  <summary>{left.length}</summary>
                  {left.join(', ')}
                </details>
              ),
          },
        ]}
      />
    </Section>
  )
}
