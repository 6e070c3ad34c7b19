import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { createAccessAudit } from '../reading/accessAudit.ts'
import { getDatastore } from '../scan.repository.ts'
import { getConflict, listConflicts, settleConflict } from './conflicts.repository.ts'

interface ConflictHandlers {
  readonly listConflicts: Handler<typeof scan.listConflicts>
  readonly settleConflict: Handler<typeof scan.settleConflict>
}

/** The list of contradictions for administrators (docs/decisions/0055-conflicts.md). */
export function conflictHandlers(deps: Dependencies): ConflictHandlers {
  const recordAccess = createAccessAudit(deps)
  return {
    async listConflicts(input, context) {
      const { organizationId } = await getDatastore(deps.db, context.viewer, input.organizationId)
      // The rows name patients.
      await recordAccess(context, {
        event: 'ScansQueried',
        organizationId,
        subject: { page: input.page ?? null, isSearch: Boolean(input.search), list: 'conflicts' },
      })
      return listConflicts(deps.db, organizationId, input)
    },

    async settleConflict({ id }, context) {
      const conflict = await getConflict(deps.db, id)
      // Another tenant's conflict does not exist (P02).
      await getDatastore(deps.db, context.viewer, conflict.organizationId)
      if (conflict.settledDate !== null) return conflict
      await deps.write(context, async ({ trx, audit }) => {
        await settleConflict(trx, id, context.viewer.userId)
        await audit({
          event: 'ScanConflictSettled',
          organizationId: conflict.organizationId,
          subject: { conflictId: id, kind: conflict.kind, studyUID: conflict.stored.studyUID },
        })
      })
      return getConflict(deps.db, id)
    },
  }
}
