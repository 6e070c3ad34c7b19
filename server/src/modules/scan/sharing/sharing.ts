import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { notFound } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getScan, getDatastore, refuseDeactivated } from '../scan.repository.ts'
import { hashLinkToken, createLinkToken } from '../linkTokens.ts'

const DAY_MS = 86_400_000

interface Sharing {
  readonly share: Handler<typeof scan.share>
  readonly listShares: Handler<typeof scan.listShares>
  readonly revokeShare: Handler<typeof scan.revokeShare>
}

/** 5.13, P25: links that open one series for whoever has them, until they expire or are revoked. */
export function shareHandlers(deps: Dependencies): Sharing {
  return {
    async share(input, context) {
      const { store, series } = await getScan(deps.db, context.viewer, input.organizationId, input.seriesUID)
      refuseDeactivated(store)
      const token = createLinkToken()
      const expire_date = new Date(Date.now() + input.expireInDay * DAY_MS)
      const password_hash = input.password ? await deps.hasher.hash(input.password) : null
      await deps.write(context, async ({ trx, audit }) => {
        const { id } = await trx
          .insertInto('scan_shares')
          .values({
            token_hash: hashLinkToken(token),
            organization_id: store.organizationId,
            series_uid: series.series_uid,
            created_by: context.viewer.userId,
            created_by_user: context.viewer.fullName,
            expire_date,
            password_hash,
            max_uses: input.maxUses,
            blocked_until: null,
            last_used_date: null,
            revoked_date: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await audit({
          event: 'ScanShared',
          organizationId: store.organizationId,
          subject: {
            shareId: id,
            seriesUID: series.series_uid,
            until: expire_date.toISOString(),
            hasPassword: password_hash !== null,
            maxUses: input.maxUses,
          },
        })
      })
      return { downloadUrl: `${deps.publicUrl()}/share/${token}` }
    },

    async listShares(input, { viewer }) {
      const { store, series } = await getScan(deps.db, viewer, input.organizationId, input.seriesUID)
      const rows = await deps.db
        .selectFrom('scan_shares')
        .selectAll()
        .where('organization_id', '=', store.organizationId)
        .where('series_uid', '=', series.series_uid)
        .orderBy('created_date', 'desc')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        createdByUser: row.created_by_user,
        createdDate: row.created_date.toISOString(),
        expireDate: row.expire_date.toISOString(),
        hasPassword: row.password_hash !== null,
        maxUses: row.max_uses,
        uses: row.uses,
        lastUsedDate: row.last_used_date?.toISOString() ?? null,
        revokedDate: row.revoked_date?.toISOString() ?? null,
      }))
    },

    async revokeShare({ id }, context) {
      const link = await deps.db
        .selectFrom('scan_shares')
        .select(['organization_id', 'series_uid'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!link) throw notFound()
      await getDatastore(deps.db, context.viewer, link.organization_id)
      await deps.write(context, async ({ trx, audit }) => {
        await trx
          .updateTable('scan_shares')
          .set({ revoked_date: new Date() })
          .where('id', '=', id)
          .where('revoked_date', 'is', null)
          .execute()
        await audit({
          event: 'ShareRevoked',
          organizationId: link.organization_id,
          subject: { shareId: id, seriesUID: link.series_uid },
        })
      })
      return null
    },
  }
}
