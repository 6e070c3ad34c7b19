import { scan } from '@dmp/contract'
import { HoldForm } from '@dmp/contract/scan'
import { call, refresh } from '@dmp/kit'
import { FormModal, TextAreaField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'

interface HoldModalProps {
  readonly organizationId: string
  readonly studyUID: string
  /** Whose study it is. */
  readonly name: string
  readonly onClose: () => void
}

/** The reason is what everybody reads who is refused a deletion and may know it. */
export function HoldModal({ organizationId, studyUID, name, onClose }: HoldModalProps) {
  return (
    <FormModal
      title="Legal hold"
      draft={false}
      schema={HoldForm}
      call={({ reason }) => call(scan.hold, { organizationId, studyUID, reason })}
      submitLabel="Put under legal hold"
      onClose={onClose}
      onDone={() => {
        refresh([scan.listHolds, scan.listBin])
        notify.success('The study is under legal hold')
        onClose()
      }}
    >
      <p>
        <bdi>{name}</bdi>
      </p>
      <p>Nobody can delete the study, and it does not leave the bin for good, until the hold is ended.</p>
      <TextAreaField name="reason" label="Reason" autoFocus />
    </FormModal>
  )
}
