import { exact } from '@dmp/contract/fields'
import { history, status } from '@dmp/contract/releaseCalls'
import { FormModal, TextAreaField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import * as v from 'valibot'
import { createMoveDialog, type Move } from './moveDialog.ts'

const reasonMaxChars = 500
const reasonMissing = () => 'Enter a reason. It is shown in the history.'
const MoveForm = exact({
  reason: v.pipe(
    v.string(reasonMissing),
    v.trim(),
    v.nonEmpty(reasonMissing),
    v.maxLength(reasonMaxChars, `Please use at most ${reasonMaxChars} characters.`),
  ),
})

/**
 * Asks before the releases of other people change. The server refuses the move if someone else changed them meanwhile.
 */
export function MoveModal({ move, onClose }: { move: Move; onClose: () => void }) {
  const dialog = createMoveDialog(move)
  return (
    <FormModal
      title={dialog.title}
      danger={(move.kind === 'rollback' && move.part.isRolledBack !== true) || ['stop', 'trust'].includes(move.kind)}
      schema={MoveForm}
      call={dialog.call}
      input={{
        part: move.part.name,
        releaseId: dialog.releaseId,
        ...(dialog.isKept === undefined ? {} : { isKept: dialog.isKept }),
        ...(dialog.isGuest === undefined ? {} : { isGuest: dialog.isGuest }),
      }}
      refreshes={[status, history]}
      submitLabel={dialog.submitLabel}
      onClose={onClose}
      onDone={() => {
        notify.success(dialog.success)
        onClose()
      }}
    >
      <p>{dialog.text}</p>
      <TextAreaField name="reason" label="Reason" max={reasonMaxChars} rows={3} autoFocus />
    </FormModal>
  )
}
