import type { scan } from '@dmp/contract'
import { sql } from 'kysely'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal, tooManyRequests } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { toDownloadUrl } from '../download/download.handlers.ts'
import { createDownload } from '../download/downloadLink.repository.ts'
import { hashLinkToken, isLinkToken } from '../linkTokens.ts'
import { isShareUsable } from './shareExpiry.ts'

/** Wrong passwords for a link before further attempts have to wait, each twice as long as the one before. */
const freeAttempts = 5
const maxWaitSeconds = 900

interface PublicShareHandlers {
  readonly getShared: Handler<typeof scan.getShared>
  readonly openShared: Handler<typeof scan.openShared>
}

/** Wrong, expired, revoked, used up and deleted links are answered alike (P25). */
const linkGone = (): Refusal =>
  new Refusal(404, 'NOT_FOUND', 'This link is invalid or has expired. Ask the sender for a new one.')

/** Calls of the public page of a share link (P25). Nothing about the patient leaves before the download. */
export function publicShareHandlers(deps: Dependencies): PublicShareHandlers {
  const getLink = async (token: string) => {
    const link = await deps.db
      .selectFrom('scan_shares')
      .select(['id', 'organization_id', 'series_uid', 'expire_date', 'password_hash', 'max_uses', 'uses'])
      .where('token_hash', '=', hashLinkToken(isLinkToken(token) ? token : ''))
      .where(isShareUsable)
      .executeTakeFirst()
    if (!link) throw linkGone()
    return link
  }

  return {
    async getShared({ token }) {
      const link = await getLink(token)
      return {
        expireDate: link.expire_date.toISOString(),
        hasPassword: link.password_hash !== null,
        usesLeft: link.max_uses === null ? null : link.max_uses - link.uses,
      }
    },

    async openShared({ token, password }, { request }) {
      const link = await getLink(token)
      await checkPassword(deps, link, password)
      const downloadToken = await deps.write({ request }, async ({ trx, audit }) => {
        // Checked again with the use: two people cannot both have the last one.
        const usedLink = await trx
          .updateTable('scan_shares')
          .set({ uses: sql`uses + 1`, failures: 0, blocked_until: null, last_used_date: new Date() })
          .where('id', '=', link.id)
          .where(isShareUsable)
          .returning('id')
          .executeTakeFirst()
        if (!usedLink) throw linkGone()
        const newToken = await createDownload(trx, {
          organization_id: link.organization_id,
          series_uid: link.series_uid,
          user_id: null,
          share_id: link.id,
        })
        await audit({
          event: 'ShareUsed',
          organizationId: link.organization_id,
          subject: { shareId: link.id, seriesUID: link.series_uid },
        })
        return newToken
      })
      return { downloadUrl: toDownloadUrl(deps, downloadToken) }
    },
  }
}

/** Counts each attempt before checking it, so that parallel attempts gain nothing. */
async function checkPassword(
  deps: Dependencies,
  link: { id: string; password_hash: string | null },
  password: string | null,
): Promise<void> {
  if (link.password_hash === null) return
  const seconds = sql`least(${maxWaitSeconds}, power(2, least(20, failures + 1 - ${freeAttempts})))`
  const attempt = await sql`update scan_shares set failures = failures + 1,
    blocked_until = case when failures + 1 < ${freeAttempts} then null
      else now() + make_interval(secs => ${seconds}) end
    where id = ${link.id} and (blocked_until is null or blocked_until <= now()
      or blocked_until > now() + make_interval(secs => ${maxWaitSeconds + 1})) returning id`.execute(deps.db)
  if (attempt.rows.length === 0) {
    const { rows } = await sql<{ seconds: number }>`
      select ceil(extract(epoch from blocked_until - now()))::int as seconds
      from scan_shares where id = ${link.id}`.execute(deps.db)
    throw tooManyRequests(rows[0]?.seconds ?? 1, 'Too many wrong passwords.')
  }
  if (await deps.hasher.isRight(password ?? '', link.password_hash)) return
  throw new Refusal(400, 'WRONG_PASSWORD', 'This password is wrong.', [
    { path: 'password', message: 'This password is wrong.' },
  ])
}
