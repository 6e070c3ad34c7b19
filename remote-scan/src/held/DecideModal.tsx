import { picturesText, rectanglesText } from '../shared/counts.ts'
import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { HeldScanDetail } from '@dmp/contract/scan'
import { useAct } from '@dmp/kit'
import { ConfirmModal, Facts } from '@dmp/kit/screen'
import { Checkbox, notify } from '@dmp/kit/ui'
import { findRectangles, listSent, type Choice } from './masks.ts'

interface DecideModalProps {
  readonly held: HeldScanDetail
  readonly choice: Choice
  readonly decision: 'Send' | 'LeaveOut'
  /** Pictures that could not be shown, by instance UID. */
  readonly hidden: ReadonlySet<string>
  readonly onClose: () => void
  readonly onDecided: () => void
}

/** What will happen, once more before it does. */
export function DecideModal({ held, choice, decision, hidden, onClose, onDecided }: DecideModalProps) {
  const [isSeenElsewhere, setSeenElsewhere] = useState(false)
  const { act, busy, error, reset } = useAct(scan.decideHeld, {
    refreshes: [scan.listHeld, scan.listTransfers],
    onDone: () => {
      notify.success(
        decision === 'Send' ? `The scan is on its way to ${held.dstOrganizationName}` : 'The scan was left out',
      )
      onDecided()
    },
  })
  const { sent } = listSent(held.heldPictures, choice)
  const sentHidden = sent.filter(({ instanceUID }) => hidden.has(instanceUID)).length
  const asksElsewhere = decision === 'Send' && sentHidden > 0
  const { id, revision } = held
  return (
    <ConfirmModal
      title={decision === 'Send' ? 'Send the scan' : 'Leave the scan out'}
      confirmLabel={decision === 'Send' ? 'Send' : 'Leave out'}
      danger={decision === 'LeaveOut'}
      disabled={asksElsewhere && !isSeenElsewhere}
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ id, revision, decision, ...choice, isSeenElsewhere })}
      onClose={onClose}
    >
      {decision === 'LeaveOut' ? (
        <p>Nothing of this scan goes to {held.dstOrganizationName}. The scan itself stays where it is.</p>
      ) : (
        <SendFacts held={held} choice={choice} />
      )}
      {asksElsewhere && (
        <Checkbox checked={isSeenElsewhere} onChange={({ target }) => setSeenElsewhere(target.checked)}>
          {picturesText(sentHidden)} cannot be shown here. I looked at them elsewhere, and they name nobody.
        </Checkbox>
      )}
    </ConfirmModal>
  )
}

const toMaskedText = (rectangles: number, pictures: number): string =>
  `${rectanglesText(rectangles)}, in ${picturesText(pictures)}`

function SendFacts({ held, choice }: Pick<DecideModalProps, 'held' | 'choice'>) {
  const { sent, masked } = listSent(held.heldPictures, choice)
  const rectangles = new Set(masked.flatMap((picture) => findRectangles(choice, picture))).size
  return (
    <>
      <Facts
        columns={1}
        facts={[
          { label: 'Destination organization', value: <strong>{held.dstOrganizationName}</strong> },
          {
            label: 'Pictures that were held back',
            value: `${picturesText(sent.length)} of ${held.pictures} are sent`,
          },
          {
            label: 'Blackened',
            value:
              masked.length === 0
                ? 'Nothing: you found no text that names the patient'
                : toMaskedText(rectangles, masked.length),
          },
        ]}
      />
      <p>The copies will say that somebody looked at them. What was sent cannot be taken back.</p>
    </>
  )
}
