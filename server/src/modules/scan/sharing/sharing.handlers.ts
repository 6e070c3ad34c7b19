import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDatastore, getScan, refuseDeactivated } from '../scan.repository.ts'
import { createLinkToken, hashLinkToken } from '../linkTokens.ts'
import { toExpireDate } from './shareExpiry.ts'
import { addShare, getSharedScan, listShares, revokeShare } from './sharing.repository.ts'

interface SharingHandlers {
  readonly share: Handler<typeof scan.share>
  readonly listShares: Handler<typeof scan.listShares>
  readonly revokeShare: Handler<typeof scan.revokeShare>
}

/** 5.13, P25: links that open one series for every holder, until they expire or are revoked. */
export const sharingHandlers = (deps: Dependencies): SharingHandlers => ({
  share: shareHandler(deps),

  listShares: async (input, { viewer }) =>
    listShares(deps.db, await getScan(deps.db, viewer, input.organizationId, input.seriesUID)),

  async revokeShare({ id }, context) {
    const share = await getSharedScan(deps.db, id)
    await getDatastore(deps.db, context.viewer, share.organization_id)
    await deps.write(context, async ({ trx, audit }) => {
      await revokeShare(trx, id)
      await audit({
        event: 'ShareRevoked',
        organizationId: share.organization_id,
        subject: { shareId: id, seriesUID: share.series_uid },
      })
    })
    return null
  },
})

const shareHandler =
  (deps: Dependencies): Handler<typeof scan.share> =>
  async (input, context) => {
    const { store, series } = await getScan(deps.db, context.viewer, input.organizationId, input.seriesUID)
    refuseDeactivated(store)
    const token = createLinkToken()
    const expireDate = toExpireDate(input.expireInDay)
    const passwordHash = input.password ? await deps.hasher.hash(input.password) : null
    await deps.write(context, async ({ trx, audit }) => {
      const shareId = await addShare(trx, {
        token_hash: hashLinkToken(token),
        organization_id: store.organizationId,
        series_uid: series.series_uid,
        created_by: context.viewer.userId,
        created_by_user: context.viewer.fullName,
        expire_date: expireDate,
        password_hash: passwordHash,
        max_uses: input.maxUses,
      })
      await audit({
        event: 'ScanShared',
        organizationId: store.organizationId,
        subject: {
          shareId,
          seriesUID: series.series_uid,
          until: expireDate.toISOString(),
          hasPassword: passwordHash !== null,
          maxUses: input.maxUses,
        },
      })
    })
    return { downloadUrl: `${deps.publicUrl()}/share/${token}` }
  }
