import { remove, type Override } from '@dmp/contract/override'
import { settings, useAct, useSession } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { remotes } from '../remotes/snapshot.ts'
import { overrides } from '../remotes/activeOverrides.ts'
import { useOverrideState } from '../remotes/overrideState.ts'
import { ActivePreview } from './ActivePreview.tsx'
import { OverrideQuestion } from './OverrideQuestion.tsx'
import { PreviewQuestion } from './PreviewQuestion.tsx'
import { Waiting } from './Waiting.tsx'
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
          The override of {getTitle(part)} was removed, and the live release is shown. {reason}
        </Note>
      ))}
      {question && ('id' in question ? <PreviewLink {...question} /> : <OverrideLink {...question} />)}
    </>
  )
}

function Bar({ active }: { active: readonly Override[] }) {
  const { act, busy, error } = useAct(remove, { onDone: () => location.reload() })
  return (
    <section
      className="dmp-overrides"
      data-preview={active.some(({ preview }) => preview !== undefined)}
      aria-label="Overrides of this browser"
    >
      <strong>Only in this browser:</strong>
      <ul>
        {active.map((override) =>
          override.preview ? (
            <ActivePreview
              key={override.part}
              override={override}
              title={getTitle(override.part)}
              busy={busy}
              onEnd={() => void act({ part: override.part })}
            />
          ) : (
            <li key={override.part}>
              <span>
                {getTitle(override.part)} {toSourceText(override)}
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
          ),
        )}
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

/** The address of a preview: the server says who may open it. */
function PreviewLink({ part, id }: { part: string; id: string }) {
  const isSignedIn = useSession(({ user }) => user !== null && user !== undefined)
  if (!isSignedIn) return <Waiting>A link asks to open a preview of {getTitle(part)}. Sign in to decide.</Waiting>
  return <PreviewQuestion part={part} id={id} />
}

/** The title that users know, and the name of the part. */
export function getTitle(part: string): string {
  const title = remotes().find(({ declaration }) => declaration.name === part)?.declaration.title
  return title === undefined ? part : `${title} (${part})`
}

function toSourceText({ address, version, releaseId }: Override): string {
  if (address !== undefined) return `from ${address}`
  const release = [version, releaseId].filter(Boolean).join(' · ')
  return `in release ${release}`
}
