import type { Dependencies } from '../../dependencies.ts'
import { assertRemovable, removeDeletedObjects } from '../scan/deletion/deletion.handlers.ts'
import { deleteInstance, deleteSeries, listSeries } from '../scan/deletion/deletion.repository.ts'
import { detachShares } from '../scan/sharing/sharing.repository.ts'
import { refuseOtherParameters, type Route } from './reading.ts'
import { getScope, parseUidPath } from './scope.ts'
import type { Service } from './dicomwebServices.ts'

/** Deletes a study, a series or an instance, as people with Scan/Delete do in the list (7.38). */
export const removeHandler =
  (deps: Dependencies, service: Service): Route =>
  async (request, reply) => {
    const scope = await getScope(deps, request, 'Delete')
    const path = parseUidPath(request, scope)
    refuseOtherParameters(request, service)
    assertRemovable(deps)
    const { organizationId } = scope.store
    await deps.write(scope.context, async ({ trx, audit, tell, afterwards }) => {
      const series = await listSeries(trx, organizationId, path)
      const isWhole = path.instance === undefined
      const shareIds = isWhole ? await detachShares(trx, organizationId, series) : []
      const deleted =
        path.instance === undefined
          ? await deleteSeries(trx, organizationId, series)
          : await deleteInstance(trx, organizationId, series, path.instance)
      await audit({
        event: 'ScansDeleted',
        organizationId,
        subject: {
          series,
          instances: deleted.instances,
          ...(path.instance !== undefined && { sopInstanceUID: path.instance }),
        },
      })
      await tell(organizationId, deleted.changes)
      afterwards(() => {
        deps.bus.publish({ kind: 'scansChanged', organizationId })
        deps.bus.publish({ kind: 'sharesChanged', shareIds })
      })
    })
    await removeDeletedObjects(deps)
    return reply.status(204).send()
  }
