import { scan } from '@dmp/contract'
import { call, refresh } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'
import { scanLists } from '../shared/scanLists.ts'

/** Takes back what the person has just deleted. */
export async function undoDelete(organizationId: string, seriesUIDs: readonly string[]): Promise<void> {
  try {
    await call(scan.undoDelete, { organizationId, seriesIdList: [...seriesUIDs] })
    notify.success(seriesUIDs.length === 1 ? 'Scan restored' : `${seriesUIDs.length} scans restored`)
  } catch (cause) {
    notify.error(cause instanceof Error ? cause.message : String(cause))
  }
  refresh(scanLists)
}
