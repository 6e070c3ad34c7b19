import type { scan } from '@dmp/contract'
import type { Handler } from '../../http/implement.ts'
import { Refusal } from '../../http/refusal.ts'
import type { Parts } from '../../parts.ts'
import { removeObjects } from './intake.recovery.ts'
import { deleteSeries } from './removal.ts'
import { getStore } from './scan.repository.ts'

/** 7.38, 5.15: gone for viewers with the commit, gone from the store with the answer. */
export function removeHandler(parts: Parts): Handler<typeof scan.remove> {
  return async (input, context) => {
    const store = await getStore(parts.db, context.viewer, input.organizationId)
    if (!parts.objects.canRemove)
      throw new Refusal(
        409,
        'ARCHIVE_KEEPS',
        'These scans are kept in an archive from which this product may not delete. Ask the people who run the archive.',
      )
    await parts.write(context, async ({ trx, audit }) => {
      const removed = await deleteSeries(trx, store.organizationId, input.seriesIdList)
      await audit({
        event: 'ScansDeleted',
        organizationId: store.organizationId,
        subject: { series: [...new Set(input.seriesIdList)], instances: removed.instances },
      })
    })
    try {
      await removeObjects(parts.db, parts.objects)
    } catch (cause) {
      // The list of what is to be removed stays, and is worked off at the next deletion or start.
      parts.log.error(
        { reason: cause instanceof Error ? cause.message : 'unknown' },
        'objects of deleted scans are still to be removed',
      )
    }
    return null
  }
}
