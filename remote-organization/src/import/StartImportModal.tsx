import { organization } from '@dmp/contract'
import { formatBytes } from '@dmp/kit'
import { FormModal, PasswordField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'

interface StartImportModalProps {
  readonly id: string
  readonly name: string
  readonly file: File
  readonly onClose: () => void
  readonly onStarted: (importId: string) => void
}

export function StartImportModal({ id, name, file, onClose, onStarted }: StartImportModalProps) {
  return (
    <FormModal
      title={`Import into ${name}?`}
      // It holds the person's password.
      draft={false}
      schema={organization.ExportConfirmation}
      call={organization.startImport}
      input={{ id, bytes: file.size }}
      submitLabel="Start import"
      onClose={onClose}
      onDone={([newest]) => {
        notify.success('Import started')
        onClose()
        if (newest) onStarted(newest.id)
      }}
    >
      <p>
        {file.name} has {formatBytes(file.size)}. Its scans are added to those of the organization; what is there
        already stays as it is.
      </p>
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        help="An import brings patient data along, so please confirm that it is you."
      />
    </FormModal>
  )
}
