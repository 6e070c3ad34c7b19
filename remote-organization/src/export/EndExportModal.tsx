import { organization } from '@dmp/contract'
import { isExportOpen, type OrganizationExport } from '@dmp/contract/organization'
import { useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'

export function EndExportModal({ id, item, onClose }: { id: string; item: OrganizationExport; onClose: () => void }) {
  const isUnderWay = isExportOpen(item)
  const { act, busy, error } = useAct(organization.endExport, {
    onDone: () => {
      notify.success(isUnderWay ? 'Export stopped' : 'Archive removed')
      onClose()
    },
  })
  return (
    <ConfirmModal
      title={isUnderWay ? 'Stop this export?' : 'Remove this archive?'}
      confirmLabel={isUnderWay ? 'Stop' : 'Remove'}
      danger
      busy={busy}
      error={error}
      onConfirm={() => void act({ id, exportId: item.id })}
      onClose={onClose}
    >
      Nothing of the organization is deleted. Downloads of it that are under way break off.
    </ConfirmModal>
  )
}
