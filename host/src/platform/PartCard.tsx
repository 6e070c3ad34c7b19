import type { ReleaseStatus, ShownPart } from '@dmp/contract/releaseCalls'
import { keep, listErrors, promoteCanary, rollback } from '@dmp/contract/releaseCalls'
import { useCan } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Section } from '@dmp/kit/screen'
import { Button, Progress, StatusBadge } from '@dmp/kit/ui'
import { findOverride } from '../remotes/activeOverrides.ts'
import type { Move } from './moveDialog.ts'
import { ReleaseFacts } from './ReleaseFacts.tsx'
import { formatRelease } from './format.ts'

interface Props {
  readonly part: ShownPart
  readonly watch: ReleaseStatus['watch']
  readonly onMove: (move: Move) => void
  readonly onTry: (part: ShownPart) => void
}

/** One part: its live release, its canary and the actions on them. */
export function PartCard({ part, watch, onMove, onTry }: Props) {
  const { name, title, live, canary, before, isRolledBack = false, isGuest } = part
  const mayRollBack = useCan(rollback)
  const mayPromote = useCan(promoteCanary)
  const mayKeep = useCan(keep)
  const mayLookInto = useCan(listErrors)
  const isOverridden = findOverride(name) !== undefined
  return (
    <Section
      title={title}
      extra={
        <span className="dmp-quiet">
          {name}
          {isGuest && (
            <>
              {' '}
              · <StatusBadge value="Guest" tone="dark" />
            </>
          )}
          {isOverridden && (
            <>
              {' '}
              · <StatusBadge value="Overridden in this browser" tone="dark" />
            </>
          )}
        </span>
      }
    >
      <ReleaseFacts release={live} watch={watch} />
      {canary && (
        <div className="dmp-platform-canary" role="group" aria-label={`Canary of ${title}`}>
          <p className="dmp-platform-label">
            Canary
            {canary.users.length > 0
              ? canary.users.length === 1
                ? ' and 1 named person'
                : ` and ${canary.users.length} named people`
              : ''}
          </p>
          <Progress
            percent={canary.percent}
            aria-label={`Share of users who get the canary of ${title}`}
            size="small"
            status="active"
          />
          <ReleaseFacts release={canary} watch={watch} />
          {mayPromote && (
            <div className="dmp-platform-actions">
              <Button size="small" onClick={() => onMove({ kind: 'promote', part })}>
                Promote…
              </Button>
              <Button size="small" onClick={() => onMove({ kind: 'stop', part })}>
                Stop…
              </Button>
            </div>
          )}
        </div>
      )}
      <div className="dmp-platform-actions">
        {mayRollBack &&
          (before ? (
            <Button danger={!isRolledBack} size="small" onClick={() => onMove({ kind: 'rollback', part })}>
              {isRolledBack
                ? `Go forward again to ${formatRelease(before, live)}…`
                : `Roll back to ${formatRelease(before, live)}…`}
            </Button>
          ) : (
            <span className="dmp-quiet">No earlier release</span>
          ))}
        {mayKeep && watch.isOn && (
          <Button size="small" onClick={() => onMove({ kind: live.kept ? 'endKeeping' : 'keep', part })}>
            {live.kept ? 'Stop keeping…' : 'Keep…'}
          </Button>
        )}
        {mayLookInto && (
          <Link to={`/platform/part/${name}`} aria-label={`Errors and times of ${title}`}>
            Errors and times
          </Link>
        )}
        <Button type="text" size="small" onClick={() => onTry(part)} aria-label={`Try another release of ${title}`}>
          Try another release…
        </Button>
      </div>
    </Section>
  )
}
