import type { ShownJourney } from '@dmp/contract/releaseRounds'
import { Facts, Section } from '@dmp/kit/screen'
import { judge, outcomeWords } from './verdicts.ts'

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
  const listed = (word: string): string[] =>
    [...byClause].flatMap(([clause, results]) => (judge(results) === word ? [clause] : [])).sort()
  const failed = listed(outcomeWords.failed)
  const left = [...new Set([...listed(outcomeWords.skipped), ...(untried ?? [])])].sort()
  return (
    <Section title="Clauses">
      <Facts
        facts={[
          { label: 'Tried and passed', value: String(listed(outcomeWords.passed).length) },
          { label: 'Unsteady', value: listed(outcomeWords.flaky).join(', ') || 'None' },
          { label: 'Failed', value: failed.join(', ') || 'None' },
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
