import { history, status, type ReleaseStatus, type ShownPart } from '@dmp/contract/releaseCalls'
import { dataWord, refresh, useData, useLookup, type Lookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { Button, StatusBadge } from '@dmp/kit/ui'
import { useEvery } from '@dmp/kit/table'
import { useState } from 'react'
import { ReleaseHistory } from './ReleaseHistory.tsx'
import type { Move } from './moveDialog.ts'
import { MoveModal } from './MoveModal.tsx'
import { PartCard } from './PartCard.tsx'
import { PreviewSection } from './PreviewSection.tsx'
import { TryReleaseModal } from './TryReleaseModal.tsx'
import { formatCount } from './format.ts'
import { toHealth } from './releaseLabels.ts'
import './platform.css'
import './quality.css'

const refreshIntervalMs = 30_000
const refreshStatus = (): void => refresh([status, history])

/** Live releases and canaries, how they do on real pages, and the way back. */
export default function PlatformScreen() {
  // Requested together with the status, not after it.
  const moves = useLookup(history, {})
  return (
    <Screen
      title="Platform"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Platform' }]}
      actions={
        <>
          <Link className="quality-link" to="/platform/quality">
            Quality
          </Link>
          <Button onClick={refreshStatus}>Refresh</Button>
        </>
      }
    >
      <Parts moves={moves} />
    </Screen>
  )
}

function Parts({ moves }: { moves: Lookup<typeof history> }) {
  const { parts: found, watch } = useData(status, {})
  const parts = found.map((part) => ({ ...part, title: dataWord(part.title) }))
  const [move, setMove] = useState<Move>()
  const [triedPart, setTriedPart] = useState<ShownPart>()
  useEvery(refreshIntervalMs, refreshStatus)
  return (
    <>
      <Summary parts={parts} watch={watch} />
      <div className="dmp-platform-parts">
        {parts.map((part) => (
          <PartCard key={part.name} part={part} watch={watch} onMove={setMove} onTry={setTriedPart} />
        ))}
      </div>
      <PreviewSection />
      <ReleaseHistory moves={moves} parts={parts} />
      {move && <MoveModal move={move} onClose={() => setMove(undefined)} />}
      {triedPart && <TryReleaseModal part={triedPart} onClose={() => setTriedPart(undefined)} />}
    </>
  )
}

const toCanaryText = (title: string): string => `the canary of ${title}`

/** One line that says whether something needs attention. */
function Summary({ parts, watch }: Pick<ReleaseStatus, 'parts' | 'watch'>) {
  const releases = parts.flatMap(({ title, live, canary }) => [
    { title, figures: live.figures },
    ...(canary ? [{ title: toCanaryText(title), figures: canary.figures }] : []),
  ])
  const failing = releases.filter(({ figures }) => toHealth(figures, watch).tone === 'danger').map(({ title }) => title)
  const canaries = parts.filter(({ canary }) => canary).length
  return (
    <div className="dmp-platform-summary">
      {failing.length > 0 ? (
        <StatusBadge value={`Failing: ${failing.join(', ')}`} tone="danger" />
      ) : (
        <StatusBadge value="All healthy" tone="success" />
      )}
      <span>
        {parts.length} parts live,{' '}
        {canaries === 0 ? 'no canary' : canaries === 1 ? 'one canary' : `${canaries} canaries`}.
      </span>
      <span className="dmp-quiet">
        {watch.isOn
          ? `Releases roll back automatically when, within ${watch.minutes} minutes, they fail on at least ${formatCount(watch.pages)} pages, on ${watch.percent} % of all pages, and ${watch.times} times as often as the previous release.`
          : 'Automatic rollback is switched off.'}
        {watch.isOn && (watch.organizations ?? 1) > 1 && (
          <> {`They have to fail separately in at least ${watch.organizations} organizations.`}</>
        )}
      </span>
    </div>
  )
}
