import type { scan } from '@dmp/contract'
import type { Context } from '../../../core/context.ts'
import type { Handlers } from '../../../core/handlers.ts'
import type { Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { createAccessAudit } from '../reading/accessAudit.ts'
import { getDatastore, refuseDeactivated } from '../scan.repository.ts'
import { listBin, listLatestDeletions } from './binList.ts'
import { removeDeletedObjects } from './deleteScans.ts'
import { listDependents } from './dependents.ts'
import { toAsker } from './holds.repository.ts'
import { beginPurge, chooseEntries, eraseEntry } from './purging.ts'
import { listOwnDeletions, restoreEntries } from './restoring.ts'

type BinCalls = 'listBin' | 'listOwnDeletions' | 'listDependents' | 'restore' | 'undoDelete' | 'purge'

/** The bin of an organization (docs/decisions/0119-undo.md). */
export function binHandlers(deps: Dependencies): Pick<Handlers<typeof scan>, BinCalls> {
  const recordAccess = createAccessAudit(deps)
  const restore = createRestore(deps)
  return {
    async listBin(input, context) {
      const { organizationId } = await getDatastore(deps.db, context.viewer, input.organizationId)
      // The rows name patients.
      await recordAccess(context, {
        event: 'ScansQueried',
        organizationId,
        subject: { page: input.page ?? null, isSearch: Boolean(input.search), list: 'bin' },
      })
      return listBin(deps.db, organizationId, deps.settings.binDays, input)
    },

    listOwnDeletions: (_input, { viewer }) => listLatestDeletions(deps.db, viewer, deps.settings.binDays),

    async listDependents({ organizationId: customer, seriesIdList }, { viewer }) {
      const { organizationId } = await getDatastore(deps.db, viewer, customer)
      return listDependents(deps.db, organizationId, seriesIdList)
    },

    restore: ({ organizationId, ids }, context) => restore(organizationId, context, () => Promise.resolve(ids)),

    undoDelete: ({ organizationId, seriesIdList }, context) =>
      restore(organizationId, context, (trx, customer) =>
        listOwnDeletions(trx, customer, context.viewer.userId, seriesIdList),
      ),

    async purge({ organizationId: customer, ids }, context) {
      const { organizationId } = await getDatastore(deps.db, context.viewer, customer)
      const chosen = chooseEntries(organizationId, ids, toAsker(context))
      for (const id of await beginPurge(deps, context, organizationId, chosen)) await eraseEntry(deps, context, id)
      return null
    },
  }
}

type Choose = (trx: Transaction<Tables>, organizationId: string) => Promise<readonly string[]>

const createRestore =
  (deps: Dependencies) =>
  async (customer: string, context: Context, choose: Choose): Promise<null> => {
    const store = await getDatastore(deps.db, context.viewer, customer)
    refuseDeactivated(store)
    const { organizationId } = store
    await deps.write(context, async ({ trx, audit, tell, announce }) => {
      const ids = await choose(trx, organizationId)
      const { series, studies, instances, duplicates, changes } = await restoreEntries(trx, organizationId, ids)
      await audit({ event: 'ScansRestored', organizationId, subject: { series, studies, instances, duplicates } })
      await tell(organizationId, changes)
      await announce({ kind: 'scansChanged', organizationId })
    })
    await removeDeletedObjects(deps)
    return null
  }
