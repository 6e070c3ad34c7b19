import { remove, type Override } from '@dmp/contract/override'
import { settings, useAct, useSession } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { remotes } from '../remotes/snapshot.ts'
import { overrides } from '../remotes/activeOverrides.ts'
import { OverrideQuestion } from './OverrideQuestion.tsx'
import { dismissQuestion, useOverrideState } from '../remotes/overrideState.ts'
import './overrides.css'

/** Names this browser's overrides on every screen, with a button to remove them. */
export default function Overrides() {
  const { question, removed } = useOverrideState()
  const active = overrides().filter(({ part }) => removed.every((override) => override.part !== part))
  return (
    <>
      {active.length > 0 && <Bar active={active} />}
      {removed.map(({ part, reason }) => (
        <Note key={part}>
          The override of {getTitle(part)} was removed: {reason}. The live release is shown.
        </Note>
      ))}
      {question && <OverrideLink part={question.part} source={question.source} />}
    </>
  )
}

function Bar({ active }: { active: readonly Override[] }) {
  const { act, busy, error } = useAct(remove, { onDone: () => location.reload() })
  return (
    <section className="dmp-overrides" aria-label="Overrides of this browser">
      <strong>Only in this browser:</strong>
      <ul>
        {active.map((override) => (
          <li key={override.part}>
            <span>
              {getTitle(override.part)} {describeSource(override)}
            </span>
            <Button
              size="small"
              disabled={busy}
              onClick={() => void act({ part: override.part })}
              aria-label={`Remove the override of ${getTitle(override.part)}`}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {active.length > 1 && (
        <Button size="small" disabled={busy} onClick={() => void act({})}>
          Remove all
        </Button>
      )}
      {error && <span role="alert">{error.message}</span>}
    </section>
  )
}

function Note({ children }: { children: React.ReactNode }) {
  const [isRead, setIsRead] = useState(false)
  if (isRead) return null
  return (
    <div className="dmp-overrides" role="status">
      <span>{children}</span>
      <Button size="small" onClick={() => setIsRead(true)}>
        Close
      </Button>
    </div>
  )
}

/** The question of a link, or the reason why it cannot be asked. */
function OverrideLink({ part, source }: { part: string; source: string }) {
  const role = useSession(({ user }) => user?.role)
  if (role === undefined)
    return <Waiting>A link asks to use another release of {getTitle(part)}. Sign in to decide.</Waiting>
  if (!settings().isDemo && role !== 'super_admin')
    return (
      <Waiting>
        A link asks to use another release of {getTitle(part)}. Only a super administrator can allow that.
      </Waiting>
    )
  return <OverrideQuestion part={part} title={getTitle(part)} source={source} />
}

function Waiting({ children }: { children: React.ReactNode }) {
  return (
    <div className="dmp-overrides" role="status">
      <span>{children}</span>
      <Button size="small" onClick={dismissQuestion}>
        Discard
      </Button>
    </div>
  )
}

/** The title that users know, and the name of the part. */
export function getTitle(part: string): string {
  const title = remotes().find(({ declaration }) => declaration.name === part)?.declaration.title
  return title === undefined ? part : `${title} (${part})`
}

const describeSource = ({ address, version, releaseId }: Override): string =>
  address === undefined ? `in release ${[version, releaseId].filter(Boolean).join(' · ')}` : `from ${address}`
