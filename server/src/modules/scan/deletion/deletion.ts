import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { removeObjects } from '../intake/objectRecovery.ts'
import { deleteSeries } from './deleteSeries.ts'
import { getDatastore } from '../scan.repository.ts'

/** 7.38, 5.15: gone for viewers with the commit, gone from the store with the answer. */
export function deleteHandler(deps: Dependencies): Handler<typeof scan.remove> {
  return async (input, context) => {
    const store = await getDatastore(deps.db, context.viewer, input.organizationId)
    if (!deps.objects.canRemove)
      throw new Refusal(
        409,
        'ARCHIVE_KEEPS',
        'These scans are kept in an archive from which this product may not delete. Ask the people who run the archive.',
      )
    await deps.write(context, async ({ trx, audit }) => {
      const removed = await deleteSeries(trx, store.organizationId, input.seriesIdList)
      await audit({
        event: 'ScansDeleted',
        organizationId: store.organizationId,
        subject: { series: [...new Set(input.seriesIdList)], instances: removed.instances },
      })
    })
    try {
      await removeObjects(deps.db, deps.objects)
    } catch (cause) {
      // The list of what is to be removed stays, and is worked off at the next deletion or start.
      deps.log.error(
        { reason: cause instanceof Error ? cause.message : 'unknown' },
        'objects of deleted scans are still to be removed',
      )
    }
    return null
  }
}
