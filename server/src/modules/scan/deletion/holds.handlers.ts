import type { scan } from '@dmp/contract'
import { Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { createAccessAudit } from '../reading/accessAudit.ts'
import { getDatastore } from '../scan.repository.ts'
import { addHold, endHold, getHold, listHolds, lockStudy } from './holds.repository.ts'

/** Legal holds: what nobody may delete, whoever they are (docs/decisions/0119-undo.md). */
export function holdHandlers(deps: Dependencies): Pick<Handlers<typeof scan>, 'listHolds' | 'hold' | 'endHold'> {
  const { db, write } = deps
  const recordAccess = createAccessAudit(deps)
  return {
    async listHolds(input, context) {
      const { organizationId } = await getDatastore(db, context.viewer, input.organizationId)
      // The rows name patients.
      await recordAccess(context, {
        event: 'ScansQueried',
        organizationId,
        subject: { page: input.page ?? null, isSearch: Boolean(input.search), list: 'holds' },
      })
      return listHolds(db, organizationId, input)
    },

    async hold({ organizationId: customer, studyUID, reason }, context) {
      const { organizationId } = await getDatastore(db, context.viewer, customer)
      const id = await write(context, async ({ trx, audit }) => {
        await lockStudy(trx, organizationId, studyUID)
        const holdId = await addHold(trx, { organizationId, studyUID, reason, viewer: context.viewer })
        await audit({ event: 'LegalHoldSet', organizationId, subject: { holdId, studyUID } })
        return holdId
      })
      return getHold(db, id)
    },

    async endHold({ id }, context) {
      const hold = await getHold(db, id)
      const { organizationId, studyUID } = hold
      // Another tenant's hold does not exist (P02).
      await getDatastore(db, context.viewer, organizationId)
      if (hold.isByProvider && !context.viewer.isInternal)
        throw new Refusal(
          403,
          'HELD_BY_PROVIDER',
          'Your provider holds this study. Only your provider ends this legal hold.',
        )
      await write(context, async ({ trx, audit }) => {
        await endHold(trx, id, context.viewer)
        await audit({ event: 'LegalHoldEnded', organizationId, subject: { holdId: id, studyUID } })
      })
      return getHold(db, id)
    },
  }
}
