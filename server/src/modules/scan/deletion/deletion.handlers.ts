import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore } from '../scan.repository.ts'
import { assertRemovable, deleteScans } from './deleteScans.ts'
import { deleteSeries } from './deletion.repository.ts'

/** 7.38, 5.15: the scans are gone for viewers with the commit; their bytes follow when they leave the bin. */
export function deleteHandler(deps: Dependencies): Handler<typeof scan.remove> {
  return async (input, context) => {
    const { organizationId } = await getDatastore(deps.db, context.viewer, input.organizationId)
    assertRemovable(deps)
    await deleteScans(deps, context, organizationId, (trx, deletion) =>
      deleteSeries(trx, organizationId, input.seriesIdList, deletion),
    )
    return null
  }
}
