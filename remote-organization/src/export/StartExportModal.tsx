import { organization } from '@dmp/contract'
import { FormModal, PasswordField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'

export function StartExportModal({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  return (
    <FormModal
      title={`Export ${name}?`}
      // It holds the person's password.
      draft={false}
      schema={organization.ExportConfirmation}
      call={organization.startExport}
      input={{ id }}
      submitLabel="Start export"
      onClose={onClose}
      onDone={() => {
        notify.success('Export started')
        onClose()
      }}
    >
      <p>Every scan is read once and checked. An earlier archive is removed when the new one is ready.</p>
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        help="An export takes everything along, so please confirm that it is you."
      />
    </FormModal>
  )
}
