import { organization } from '@dmp/contract'
import type { OrganizationImport } from '@dmp/contract/organization'
import { useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'

interface EndImportModalProps {
  readonly id: string
  readonly item: OrganizationImport
  readonly onClose: () => void
  readonly onEnded: () => void
}

export function EndImportModal({ id, item, onClose, onEnded }: EndImportModalProps) {
  const { act, busy, error } = useAct(organization.endImport, {
    onDone: () => {
      notify.success('Import stopped')
      onEnded()
      onClose()
    },
  })
  return (
    <ConfirmModal
      title="Stop this import?"
      confirmLabel="Stop"
      danger
      busy={busy}
      error={error}
      onConfirm={() => void act({ id, importId: item.id })}
      onClose={onClose}
    >
      What is stored already stays. The archive is removed from the server; the same archive can be imported again.
    </ConfirmModal>
  )
}
