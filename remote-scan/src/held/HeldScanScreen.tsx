import { useCallback, useState } from 'react'
import { scan } from '@dmp/contract'
import type { HeldScanDetail } from '@dmp/contract/scan'
import { useCan, useData } from '@dmp/kit'
import { Link, useNavigate, useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DecideModal } from './DecideModal.tsx'
import { HeldPanel } from './HeldPanel.tsx'
import { HeldView } from './HeldView.tsx'
import { listSent } from './masks.ts'
import { useHeldChoice } from './useHeldChoice.ts'
import './held.css'

/** A scan of a transfer that waits until somebody has looked at its pictures. */
export function HeldScanScreen() {
  const mayLook = useCan(scan.getHeld)
  const { id = '' } = useParams()
  return (
    <Screen
      title="Look at pictures"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Scans', url: '/scan' },
        { name: 'Held pictures', url: '/scan/held' },
        { name: 'Look' },
      ]}
    >
      {mayLook ? (
        <Loaded key={id} id={id} />
      ) : (
        <p>Your account is not allowed to transfer scans. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}

function Loaded({ id }: { id: string }) {
  const held = useData(scan.getHeld, { id })
  // Another set of pictures is another look.
  return <HeldScan key={held.revision} held={held} />
}

const withMember = (set: ReadonlySet<string>, member: string): ReadonlySet<string> =>
  set.has(member) ? set : new Set([...set, member])

function HeldScan({ held }: { held: HeldScanDetail }) {
  const navigate = useNavigate()
  const { choice, show, save, isSaving, error } = useHeldChoice(held)
  const [at, setAt] = useState(0)
  const [seen, setSeen] = useState<ReadonlySet<string>>(
    () => new Set(held.heldPictures.filter(({ isSeen }) => isSeen).map(({ instanceUID }) => instanceUID)),
  )
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [decision, setDecision] = useState<'Send' | 'LeaveOut'>()
  const picture = held.heldPictures[at]
  const { sent } = listSent(held.heldPictures, choice)
  const unseen = sent.filter(({ instanceUID }) => !seen.has(instanceUID)).length

  const noteSeen = useCallback((instanceUID: string, isShown: boolean) => {
    setSeen((before) => withMember(before, instanceUID))
    if (!isShown) setHidden((before) => withMember(before, instanceUID))
  }, [])

  return (
    <>
      <Subject held={held} />
      {picture ? (
        <div className="held-work">
          <HeldView
            held={held}
            at={at}
            seen={seen}
            choice={choice}
            onPicture={setAt}
            onSeen={noteSeen}
            onShow={show}
            onSave={save}
          />
          <HeldPanel
            held={held}
            picture={picture}
            choice={choice}
            seen={seen}
            unseen={unseen}
            saving={{ isSaving, error }}
            onSave={save}
            onDecide={setDecision}
          />
        </div>
      ) : (
        <HeldPanel
          held={held}
          choice={choice}
          seen={seen}
          unseen={0}
          saving={{ isSaving, error }}
          onSave={save}
          onDecide={setDecision}
        />
      )}
      {decision && (
        <DecideModal
          held={held}
          choice={choice}
          decision={decision}
          hidden={hidden}
          onClose={() => setDecision(undefined)}
          onDecided={() => navigate('/scan/held')}
        />
      )}
    </>
  )
}

function Subject({ held }: { held: HeldScanDetail }) {
  const { organizationId, seriesUID, patientName, modality, description, dstOrganizationName } = held
  const what = [modality, description].filter(Boolean).join(' · ')
  return (
    <p className="held-subject">
      <strong>
        <bdi>{patientName ?? 'No name'}</bdi>
      </strong>
      {what && <bdi>{what}</bdi>}
      <span>
        to <bdi>{dstOrganizationName}</bdi>
      </span>
      <Link to={`/scan/detail/${organizationId}/${seriesUID}`}>Open the scan</Link>
    </p>
  )
}
