import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import { scansText } from '../shared/counts.ts'

/** Nobody can reach into another organization: scans that have arrived there stay, and the question says so. */
export function StopTransferModal({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { act, busy, error, reset } = useAct(scan.stopTransfer, {
    refreshes: [scan.listTransfers, scan.listHeld],
    onDone: () => {
      notify.success(`Transfer to ${transfer.dstOrganizationName} stopped`)
      onClose()
    },
  })
  const arrived = transfer.scans.filter(({ state }) => state === 'Done').length
  const left = transfer.scans.length - arrived
  return (
    <ConfirmModal
      title={`Stop the transfer to ${transfer.dstOrganizationName}?`}
      confirmLabel="Stop transfer"
      cancelLabel="Keep going"
      danger
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ id: transfer.id })}
      onClose={onClose}
    >
      <p>
        {scansText(left)} will not arrive; what was copied of them is deleted.
        {arrived > 0 && ` ${scansText(arrived)} arrived already and will stay there.`}
      </p>
    </ConfirmModal>
  )
}
