import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore, getScan, refuseDeactivated } from '../scan.repository.ts'
import { createShareHandler } from './createShare.ts'
import { listShareableStudies } from './sharedStudies.ts'
import { getSharedScan, listShares, revokeShare } from './sharing.repository.ts'

interface SharingHandlers {
  readonly share: Handler<typeof scan.share>
  readonly listShareable: Handler<typeof scan.listShareable>
  readonly listShares: Handler<typeof scan.listShares>
  readonly revokeShare: Handler<typeof scan.revokeShare>
}

/** 5.13, P25: links that open scans for every holder, until they expire or are revoked. */
export const sharingHandlers = (deps: Dependencies): SharingHandlers => ({
  share: createShareHandler(deps),

  async listShareable({ organizationId, seriesUIDs }, { viewer }) {
    const store = await getDatastore(deps.db, viewer, organizationId)
    refuseDeactivated(store)
    const studies = await listShareableStudies(deps.db, store.organizationId, seriesUIDs)
    if (studies.length === 0)
      throw new Refusal(404, 'NOT_FOUND', 'These scans do not exist any more, or you have no access to them.')
    return studies
  },

  listShares: async (input, { viewer }) =>
    listShares(deps.db, await getScan(deps.db, viewer, input.organizationId, input.seriesUID)),

  async revokeShare({ id }, context) {
    const share = await getSharedScan(deps.db, id)
    await getDatastore(deps.db, context.viewer, share.organization_id)
    await deps.write(context, async ({ trx, audit, announce }) => {
      await revokeShare(trx, id)
      await audit({
        event: 'ShareRevoked',
        organizationId: share.organization_id,
        subject: { shareId: id, seriesUID: share.series_uid },
      })
      await announce({ kind: 'sharesChanged', shareIds: [id] })
    })
    return null
  },
})
