import { limits, registration, type Endpoint } from '@dmp/contract'
import { FormModal, TextAreaField } from '@dmp/kit/form'
import { StatusBadge, notify } from '@dmp/kit/ui'

/** Asks for the comment that a rejection needs (4.05). The applicant gets it by email. */
export function RejectModal({
  item,
  refreshes,
  onClose,
}: {
  item: registration.Registration
  refreshes: readonly Endpoint[]
  onClose: () => void
}) {
  return (
    <FormModal
      title="Reject registration"
      danger
      onClose={onClose}
      schema={registration.Rejection}
      defaults={{ statusId: registration.registrationStatusIds.Rejected }}
      call={registration.reject}
      input={{ id: item.id, seenUpdatedDate: item.updatedDate }}
      refreshes={refreshes}
      submitLabel="Reject"
      onDone={(rejected) => {
        notify.success(`Registration for ${rejected.organizationName} rejected`)
        onClose()
      }}
    >
      <p>
        Status <StatusBadge value="Rejected" tone="danger" />
      </p>
      <TextAreaField
        name="comment"
        label="Comment"
        max={limits.commentMaxChars}
        rows={4}
        help={`Sent to ${item.contactInfo.email} with the decision.`}
        autoFocus
      />
    </FormModal>
  )
}
