import type { station } from '@dmp/contract'
import { oldestUploader } from '@dmp/contract/versions'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { productVersion } from '../../settings/runtimeSettings.ts'
import { addStation, listStations, removeStation, renewStation } from './station.repository.ts'
import { findOfferedUploader } from './uploaderUpdates.ts'

export const stationHandlers = (deps: Dependencies): Handlers<typeof station> => ({
  list: async (input, { viewer }) =>
    listStations(deps.db, viewer, input, (await findOfferedUploader(deps.settings))?.version),

  remove: ({ id }, context) =>
    deps.write(context, async ({ trx, audit }) => {
      const { name, organizationId } = await removeStation(trx, context.viewer, id)
      await audit({ event: 'StationRemoved', organizationId, subject: { stationId: id, name } })
      return null
    }),

  tell: async (report, context) => {
    const { organizationId, userId } = context.viewer
    const told = { organizationId, accountId: userId, address: context.request.ip, report }
    // How it is once a minute is no change of anything; that a machine appears is.
    if (!(await renewStation(deps.db, told)))
      await deps.write(context, async ({ trx, audit }) => {
        const stationId = await addStation(trx, told)
        await audit({ event: 'StationAdded', subject: { stationId, name: report.name } })
      })
    const { name, expires_date: expires } = await deps.db
      .selectFrom('organizations')
      .leftJoin('api_tokens', (join) => join.on('api_tokens.id', '=', userId))
      .select(['organizations.name', 'api_tokens.expires_date'])
      .where('organizations.id', '=', organizationId)
      .executeTakeFirstOrThrow()
    const offered = (await findOfferedUploader(deps.settings))?.version ?? null
    return {
      organization: name,
      product: productVersion,
      offered,
      oldest: oldestUploader,
      ...(expires && { tokenExpiresDate: expires.toISOString() }),
    }
  },
})
