import type { scan } from '@dmp/contract'
import { sql, type Transaction } from 'kysely'
import type { Handler } from '../../../core/handlers.ts'
import type { PublicContext } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Write } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { findLogo } from '../../organization/organization.logo.ts'
import { toDownloadUrl } from '../download/download.handlers.ts'
import { createDownload } from '../download/downloadLink.repository.ts'
import { listSharedStudies, toAnonymousStudies } from './sharedStudies.ts'
import { isShareUsable } from './shareExpiry.ts'
import { getShareLink, linkGone, type ShareLink } from './shareLink.ts'
import { createShareSecrets } from './shareSecrets.ts'
import { beginVisit, type ShareVisit } from './shareVisits.ts'
import { waitForChange } from './shareWatch.ts'

interface PublicShareHandlers {
  readonly getShared: Handler<typeof scan.getShared>
  readonly visitShared: Handler<typeof scan.visitShared>
  readonly openShared: Handler<typeof scan.openShared>
  readonly sendShareCode: Handler<typeof scan.sendShareCode>
  readonly watchShared: Handler<typeof scan.watchShared>
}

/** Calls of the public page of a share link (P25). Nothing about the patient leaves before the link is opened. */
export function publicShareHandlers(deps: Dependencies): PublicShareHandlers {
  const secrets = createShareSecrets(deps)
  return {
    getShared: getSharedHandler(deps),

    async visitShared({ token, password, code }, context) {
      const link = await getShareLink(deps.db, token, context.cookies)
      if (link.visit) return toOpenedShare(deps, link, link.visit)
      await secrets.check(link.row, { password, code }, context.request)
      const visit = await open(deps, link, context, (trx, email) => beginVisit(trx, link.row, email, context.cookies))
      return toOpenedShare(deps, link, visit)
    },

    async openShared({ token, password, code }, context) {
      const link = await getShareLink(deps.db, token, context.cookies)
      const { row } = link
      if (!row.allows_download)
        throw new Refusal(409, 'NO_DOWNLOAD', 'The sender allows looking at these images, but not downloading them.')
      const download = {
        organization_id: row.organization_id,
        series_uid: row.series_uid,
        user_id: null,
        share_id: row.id,
        session_id: null,
      }
      if (link.visit) return { downloadUrl: toDownloadUrl(deps, await createDownload(deps.db, download)) }
      await secrets.check(row, { password, code }, context.request)
      const newToken = await open(deps, link, context, (trx) => createDownload(trx, download))
      return { downloadUrl: toDownloadUrl(deps, newToken) }
    },

    async sendShareCode({ token }, { cookies, request }) {
      const { row } = await getShareLink(deps.db, token, cookies)
      if (!row.has_code) throw linkGone()
      await secrets.sendCode(row, request)
      return null
    },

    async watchShared({ token }, { cookies, request }) {
      const { row } = await getShareLink(deps.db, token, cookies)
      await waitForChange(deps, row.id, request.ip)
      await getShareLink(deps.db, token, cookies)
      return null
    },
  }
}

const getSharedHandler =
  (deps: Dependencies): Handler<typeof scan.getShared> =>
  async ({ token }, { cookies }) => {
    const link = await getShareLink(deps.db, token, cookies)
    const { row, visit } = link
    const studies = await listSharedStudies(deps.db, row.id)
    const sender = await deps.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', row.organization_id)
      .executeTakeFirstOrThrow()
    return {
      expireDate: row.expire_date.toISOString(),
      hasPassword: row.password_hash !== null,
      usesLeft: row.max_uses === null ? null : Math.max(0, row.max_uses - row.uses),
      codeGoesTo: row.has_code && row.recipient !== null ? hideAddress(row.recipient) : null,
      allowsDownload: row.allows_download,
      sharedBy: {
        person: row.created_by_user,
        organization: sender.name,
        logo: await findLogo(deps.db, row.organization_id),
      },
      studies: toAnonymousStudies(studies, row.password_hash !== null || row.has_code),
      opened: visit ? { id: row.id, untilDate: visit.expires_date.toISOString(), studies } : null,
    }
  }

const toOpenedShare = async (deps: Dependencies, { row }: ShareLink, visit: ShareVisit): Promise<scan.OpenedShare> => ({
  id: row.id,
  untilDate: visit.expires_date.toISOString(),
  studies: await listSharedStudies(deps.db, row.id),
})

/** `anna.berg@clinic.example` → `a•••@clinic.example`: enough for its owner to know the mailbox. */
const hideAddress = (address: string): string => address.replace(/^(.)[^@]*(?=@)/u, '$1•••')

/** Spends one use, checked again with it: two people cannot both have the last one. */
async function open<T>(
  deps: Dependencies,
  { row }: ShareLink,
  { request }: PublicContext,
  begin: (trx: Transaction<Tables>, email: string | null) => Promise<T>,
): Promise<T> {
  const email = row.has_code ? row.recipient : null
  const spend = async ({ trx, audit, afterwards }: Write): Promise<T> => {
    const usedLink = await trx
      .updateTable('scan_shares')
      .set({ uses: sql`uses + 1`, last_used_date: new Date() })
      .where('id', '=', row.id)
      .where(isShareUsable)
      .returning('id')
      .executeTakeFirst()
    if (!usedLink) throw linkGone()
    const begun = await begin(trx, email)
    await audit({
      event: 'ShareUsed',
      organizationId: row.organization_id,
      subject: { shareId: row.id, seriesUID: row.series_uid, ...(email !== null && { email }) },
    })
    // The last use may be spent: pages that did not open the link learn it.
    afterwards(() => deps.bus.publish({ kind: 'sharesChanged', shareIds: [row.id] }))
    return begun
  }
  return deps.write({ request }, spend)
}
