import { complaint, limits } from '@dmp/contract'
import { dataWord } from '@dmp/kit'
import { FormModal, TextAreaField } from '@dmp/kit/form'
import { StatusBadge, notify } from '@dmp/kit/ui'

/** Asks for the comment that every change of status needs (2.49, 5.10). */
export function StatusModal({
  item,
  status,
  onClose,
}: {
  item: complaint.Complaint
  status: complaint.Lookup
  onClose: () => void
}) {
  return (
    <FormModal
      title="Change status"
      onClose={onClose}
      schema={complaint.StatusChange}
      defaults={{ statusId: status.id }}
      call={complaint.updateStatus}
      input={{ id: item.id, seenUpdatedDate: item.updatedDate }}
      refreshes={[complaint.list]}
      submitLabel="Submit"
      onDone={() => {
        notify.success(`Complaint status updated to ${dataWord(status.name)}`)
        onClose()
      }}
    >
      <p>
        <StatusBadge value={item.currentStatus} />{' '}
        <span aria-label="to" role="img" className="dmp-points">
          →
        </span>{' '}
        <StatusBadge value={status.name} />
      </p>
      <TextAreaField name="comment" label="Comment" max={limits.commentMaxChars} rows={4} autoFocus />
    </FormModal>
  )
}
