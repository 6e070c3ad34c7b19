import { getQuality, status } from '@dmp/contract/releaseCalls'
import type { Quality } from '@dmp/contract/releaseRounds'
import { dataWord, refresh, useData } from '@dmp/kit'
import { CopyText, DateText, Screen, Section } from '@dmp/kit/screen'
import { Button, StatusBadge } from '@dmp/kit/ui'
import { ClausesSection } from './ClausesSection.tsx'
import { FailedJourneys } from './FailedJourneys.tsx'
import { LooksAndAccess } from './LooksAndAccess.tsx'
import { PartVerdicts } from './PartVerdicts.tsx'
import { RoundList } from './RoundList.tsx'
import { hasFailed } from './verdicts.ts'
import './quality.css'

/** What journeys say of the releases that are live, and the rounds of the monitors that watch them. */
export default function QualityScreen() {
  return (
    <Screen
      title="Quality"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Platform', url: '/platform' },
        { name: 'Quality' },
      ]}
      actions={<Button onClick={() => refresh([getQuality, status])}>Refresh</Button>}
    >
      <Findings />
    </Screen>
  )
}

function Findings() {
  const quality = useData(getQuality, {})
  const { parts: found } = useData(status, {})
  const parts = found.map((part) => ({ ...part, title: dataWord(part.title) }))
  const { journeys, untried, rounds } = quality
  return (
    <>
      <Summary quality={quality} />
      {journeys.length > 0 && (
        <>
          <FailedJourneys journeys={journeys} />
          <PartVerdicts parts={parts} journeys={journeys} />
          <div className="quality-pair">
            <LooksAndAccess journeys={journeys} />
            <ClausesSection journeys={journeys} untried={untried ?? null} />
          </div>
        </>
      )}
      {rounds.length > 0 ? <RoundList rounds={rounds} /> : <FirstRound />}
    </>
  )
}

/** One line that says whether something needs attention. */
function Summary({ quality: { snapshot, journeys } }: { quality: Quality }) {
  const tried = journeys.filter(({ outcome }) => outcome !== 'skipped')
  const failed = journeys.filter(hasFailed).length
  const newest = tried
    .map(({ date }) => date)
    .sort()
    .at(-1)
  return (
    <div className="quality-summary">
      {tried.length === 0 ? (
        <StatusBadge value="Not tried yet" tone="secondary" />
      ) : failed > 0 ? (
        <StatusBadge value={`${failed} of ${tried.length} journeys failed`} tone="danger" />
      ) : (
        <StatusBadge
          value={tried.length === 1 ? 'The journey passed' : `All ${tried.length} journeys passed`}
          tone="success"
        />
      )}
      {snapshot && (
        <span>
          Live: snapshot <CopyText text={snapshot} label="Snapshot" />
        </span>
      )}
      {newest && (
        <span className="dmp-quiet">
          last tried <DateText value={newest} format="moment" />
        </span>
      )}
    </div>
  )
}

const firstCommand = 'npm run e2e -- monitor 5'

function FirstRound() {
  return (
    <Section title="Rounds">
      <p>
        Nobody has told this deployment of journeys yet. Make an API token with the scope “monitor” under Account, API
        tokens. Then, in a checkout of the project, name the address in <code>BASE_URL</code>, a test account in{' '}
        <code>E2E_STAFF</code> and the token in <code>E2E_MONITOR_TOKEN</code>, and run{' '}
        <CopyText text={firstCommand} label="Command" />
      </p>
    </Section>
  )
}
