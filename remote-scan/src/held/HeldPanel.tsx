import { picturesText } from '../shared/counts.ts'
import type { HeldPicture, HeldScanDetail } from '@dmp/contract/scan'
import type { CallError } from '@dmp/kit'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button, Checkbox } from '@dmp/kit/ui'
import { reasonTexts } from './heldTexts.ts'
import { findRectangles, isSameSize, listSent, withLeftOut, withRectangles, type Choice } from './masks.ts'
import { RectangleList } from './RectangleList.tsx'

interface HeldPanelProps {
  readonly held: HeldScanDetail
  readonly picture?: HeldPicture
  readonly choice: Choice
  readonly seen: ReadonlySet<string>
  /** Pictures to send that nobody has seen yet. */
  readonly unseen: number
  readonly saving: { readonly isSaving: boolean; readonly error: CallError | null }
  readonly onSave: (choice: Choice) => void
  readonly onDecide: (decision: 'Send' | 'LeaveOut') => void
}

/** What is chosen, and the decision. */
export function HeldPanel({ held, picture, choice, seen, unseen, saving, onSave, onDecide }: HeldPanelProps) {
  const { sent, masked } = listSent(held.heldPictures, choice)
  const label = masked.length > 0 ? 'Mask and send' : 'Nothing to hide: send'
  return (
    <aside className="held-panel" aria-label="Decision">
      {picture ? (
        <PictureChoice held={held} picture={picture} choice={choice} onSave={onSave} />
      ) : (
        <p>The scan was deleted. Nothing can be sent: leave it out.</p>
      )}
      <ErrorAlert error={saving.error} />
      <p className="held-state" role="status">
        {picture && describeProgress(held, seen, unseen)}
        {saving.isSaving && ' Saving …'}
      </p>
      <div className="held-decide">
        {picture && (
          <Button
            type="primary"
            disabled={unseen > 0 || sent.length === 0 || saving.isSaving}
            onClick={() => onDecide('Send')}
          >
            {label}
          </Button>
        )}
        <Button danger onClick={() => onDecide('LeaveOut')}>
          Leave the scan out
        </Button>
      </div>
    </aside>
  )
}

function describeProgress({ heldPictures }: HeldScanDetail, seen: ReadonlySet<string>, unseen: number): string {
  const count = heldPictures.filter(({ instanceUID }) => seen.has(instanceUID)).length
  const done = `${count} of ${picturesText(heldPictures.length)} seen.`
  return unseen > 0 ? `${done} Look at all of them before you send them.` : done
}

function PictureChoice({
  held,
  picture,
  choice,
  onSave,
}: Pick<HeldPanelProps, 'held' | 'choice' | 'onSave'> & { picture: HeldPicture }) {
  const { instanceUID, rows, columns, canMask, reason } = picture
  const alike = held.heldPictures.filter((other) => isSameSize(other, picture)).length
  return (
    <>
      <p>{reasonTexts[reason]}</p>
      <h2>Blackened parts</h2>
      {canMask ? (
        <>
          <p className="held-hint">
            {alike === 1
              ? `For this picture of ${columns} × ${rows} pixels.`
              : `For all ${picturesText(alike)} of ${columns} × ${rows} pixels, in every frame.`}
          </p>
          <RectangleList
            size={picture}
            rectangles={findRectangles(choice, picture)}
            onChange={(rectangles) => onSave(withRectangles(choice, picture, rectangles))}
          />
        </>
      ) : (
        <p className="held-hint">No part of this picture can be blackened. Leave it out where it names somebody.</p>
      )}
      <Checkbox
        checked={choice.leftOut.includes(instanceUID)}
        onChange={({ target }) => onSave(withLeftOut(choice, instanceUID, target.checked))}
      >
        Leave this picture out
      </Checkbox>
    </>
  )
}
