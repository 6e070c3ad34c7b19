import type { scan } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { WriteContext } from '../../../db/write.ts'
import { toCaller } from '../../../core/caller.ts'
import type { Handler } from '../../../core/handlers.ts'
import { notFound } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getScan, refuseDeactivated } from '../scan.repository.ts'
import { hashLinkToken, isLinkToken, createLinkToken } from '../linkTokens.ts'
import { resumedAt, sendZip } from './sendZip.ts'
import { seriesZip } from './seriesZip.ts'

/** A link waits this long to be opened, and a download that broke may go on this long. */
const LINK_MINUTES = 15

interface NewDownload {
  readonly organization_id: string
  readonly series_uid: string
  /** Somebody signed in, or a share link. */
  readonly user_id: string | null
  readonly share_id: string | null
}

/** Makes the one-time address of a series. */
export async function newDownload(
  deps: Dependencies,
  db: Pick<Db, 'insertInto' | 'deleteFrom'>,
  download: NewDownload,
): Promise<string> {
  const token = createLinkToken()
  await db.deleteFrom('scan_downloads').where('expires_date', '<', new Date()).execute()
  await db
    .insertInto('scan_downloads')
    .values({
      ...download,
      token_hash: hashLinkToken(token),
      expires_date: new Date(Date.now() + LINK_MINUTES * 60_000),
      used_date: null,
    })
    .execute()
  return `${deps.publicUrl()}/api/Scan/downloads/${token}`
}

/** 7.38, 5.14: a one-time address of a zip. */
export function downloadHandler(deps: Dependencies): Handler<typeof scan.download> {
  return async (input, { viewer }) => {
    const { store, series } = await getScan(deps.db, viewer, input.organizationId, input.seriesUID)
    refuseDeactivated(store)
    return {
      downloadUrl: await newDownload(deps, deps.db, {
        organization_id: store.organizationId,
        series_uid: series.series_uid,
        user_id: viewer.userId,
        share_id: null,
      }),
    }
  }
}

/** What a download address opens: once, and again only to go on where it broke. */
export function registerDownloads(app: FastifyInstance, deps: Dependencies): void {
  app.get<{ Params: { token: string } }>('/api/Scan/downloads/:token', async (request, reply) => {
    const { token } = request.params
    const link = isLinkToken(token) ? await findDownload(deps, token) : undefined
    const zip = link && (await seriesZip(deps.db, deps.objects, link.organization_id, link.series_uid))
    if (!link || !zip) throw notFound()
    const start = resumedAt(request, zip)
    if (start === 0) await useUp(deps, link, toCaller(request))
    else if (link.used_date === null) throw notFound()
    return sendZip(reply, zip, start)
  })
}

type Download = NonNullable<Awaited<ReturnType<typeof findDownload>>>

/** Of somebody who is still somebody, or of a share link that is not revoked; of an active organization. */
function findDownload({ db }: Dependencies, token: string) {
  return db
    .selectFrom('scan_downloads')
    .innerJoin('organizations', (on) =>
      on.onRef('organizations.id', '=', 'scan_downloads.organization_id').on('organizations.status', '=', 'Activated'),
    )
    .leftJoin('users', 'users.id', 'scan_downloads.user_id')
    .leftJoin('scan_shares', 'scan_shares.id', 'scan_downloads.share_id')
    .select([
      'scan_downloads.token_hash',
      'scan_downloads.organization_id',
      'scan_downloads.series_uid',
      'scan_downloads.user_id',
      'scan_downloads.share_id',
      'scan_downloads.used_date',
      'users.organization_id as user_organization_id',
    ])
    .where('scan_downloads.token_hash', '=', hashLinkToken(token))
    .where('scan_downloads.expires_date', '>', new Date())
    .where(
      sql<boolean>`(users.status = 'Activated' or (scan_shares.id is not null and scan_shares.revoked_date is null and scan_shares.expire_date > now()))`,
    )
    .executeTakeFirst()
}

async function useUp(deps: Dependencies, link: Download, request: WriteContext['request']): Promise<void> {
  const viewer =
    link.user_id !== null && link.user_organization_id !== null
      ? { userId: link.user_id, organizationId: link.user_organization_id }
      : null
  await deps.write({ viewer, request }, async ({ trx, audit }) => {
    const used = await trx
      .updateTable('scan_downloads')
      .set({ used_date: new Date() })
      .where('token_hash', '=', link.token_hash)
      .where('used_date', 'is', null)
      .returning('series_uid')
      .executeTakeFirst()
    if (!used) throw notFound()
    await audit({
      event: 'ScanDownloaded',
      organizationId: link.organization_id,
      subject: { seriesUID: link.series_uid, ...(link.share_id !== null && { shareId: link.share_id }) },
    })
  })
}
