import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { removeObjects } from '../intake/objectRecovery.ts'
import { deleteSeries } from './deletion.repository.ts'
import { getDatastore } from '../scan.repository.ts'
import { detachShares } from '../sharing/sharing.repository.ts'

/** 7.38, 5.15: the scans are gone for viewers with the commit, and from the store with the answer. */
export function deleteHandler(deps: Dependencies): Handler<typeof scan.remove> {
  return async (input, context) => {
    const store = await getDatastore(deps.db, context.viewer, input.organizationId)
    assertRemovable(deps)
    await deps.write(context, async ({ trx, audit, tell, afterwards }) => {
      const shareIds = await detachShares(trx, store.organizationId, input.seriesIdList)
      const deletedSeries = await deleteSeries(trx, store.organizationId, input.seriesIdList)
      await audit({
        event: 'ScansDeleted',
        organizationId: store.organizationId,
        // What is deleted can be looked up by its study only.
        subject: {
          series: [...new Set(input.seriesIdList)],
          studies: deletedSeries.studies,
          instances: deletedSeries.instances,
        },
      })
      await tell(store.organizationId, deletedSeries.changes)
      afterwards(() => {
        deps.bus.publish({ kind: 'scansChanged', organizationId: store.organizationId })
        deps.bus.publish({ kind: 'sharesChanged', shareIds })
      })
    })
    await removeDeletedObjects(deps)
    return null
  }
}

export function assertRemovable({ objects }: Dependencies): void {
  if (!objects.canRemove)
    throw new Refusal(
      409,
      'ARCHIVE_KEEPS',
      'These scans are kept in an archive that this product may not delete from. Ask the archive’s administrator.',
    )
}

export async function removeDeletedObjects(deps: Dependencies): Promise<void> {
  try {
    await removeObjects(deps.db, deps.objects)
  } catch (cause) {
    // The removals stay listed; the next deletion or start works them off.
    deps.log.error(
      { reason: cause instanceof Error ? cause.message : 'unknown' },
      'objects of deleted scans are still to be removed',
    )
  }
}
