import type { Dependencies } from '../../dependencies.ts'
import { assertRemovable, deleteScans } from '../scan/deletion/deleteScans.ts'
import { deleteInstance, deleteSeries, listSeries } from '../scan/deletion/deletion.repository.ts'
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
    const { instance } = path
    await deleteScans(
      deps,
      scope.context,
      organizationId,
      async (trx, deletion) => {
        const series = await listSeries(trx, organizationId, path)
        return instance === undefined
          ? deleteSeries(trx, organizationId, series, deletion)
          : deleteInstance(trx, organizationId, series, instance, deletion)
      },
      instance === undefined ? {} : { sopInstanceUID: instance },
    )
    return reply.status(204).send()
  }
