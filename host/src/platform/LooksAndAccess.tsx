import type { ShownJourney } from '@dmp/contract/releaseRounds'
import { CopyText, Facts, Section } from '@dmp/kit/screen'
import { formatCount } from './format.ts'
import { hasFailed } from './verdicts.ts'

/** Where the suite ran, this shows the pictures and takes a click to accept one. */
const reportCommand = 'npm run e2e -- report'

const toAccessText = (states: string, screens: number, violating: number): string =>
  violating === 0
    ? `${states} states on ${screens} screens, no violation`
    : `${states} states on ${screens} screens, violations on ${violating}`

const toLooksText = (screens: number, changed: number): string =>
  changed === 0 ? `${screens} screens compared, none changed` : `${screens} screens compared, ${changed} changed`

/** What the suite says of accessibility and of changed looks. */
export function LooksAndAccess({ journeys }: { journeys: readonly ShownJourney[] }) {
  const ran = journeys.filter(({ outcome }) => outcome !== 'skipped')
  const access = ran.filter(({ area }) => area === 'accessibility')
  const looks = ran.filter(({ area }) => area === 'looks')
  const changed = looks.filter(hasFailed)
  const states = access.reduce((sum, journey) => sum + (journey.states ?? 0), 0)
  const violating = access.filter(hasFailed)
  return (
    <Section title="Accessibility and looks">
      <Facts
        facts={[
          {
            label: 'Accessibility',
            value:
              access.length === 0
                ? 'Not tried yet'
                : toAccessText(formatCount(states), access.length, violating.length),
          },
          {
            label: 'Looks',
            value: looks.length === 0 ? 'Not tried yet' : toLooksText(looks.length, changed.length),
          },
        ]}
      />
      {changed.length > 0 && (
        <p>
          See the pictures, and accept those that are meant, where the suite ran:{' '}
          <CopyText text={reportCommand} label="Command" />
        </p>
      )}
    </Section>
  )
}
