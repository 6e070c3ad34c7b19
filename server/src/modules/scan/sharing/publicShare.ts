import type { scan } from '@dmp/contract'
import { sql } from 'kysely'
import type { Handler } from '../../../core/handlers.ts'
import { Refusal, tooManyRequests } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { newDownload } from '../download/download.ts'
import { hashLinkToken, isLinkToken } from '../linkTokens.ts'

/** Wrong passwords for a link before each further one has to wait, twice as long each time. */
const FREE_TRIES = 5
const LONGEST_WAIT_SECONDS = 900

interface OpenShares {
  readonly getShared: Handler<typeof scan.getShared>
  readonly openShared: Handler<typeof scan.openShared>
}

/** Wrong, expired, revoked, used up, deleted: one answer (P25). */
const gone = (): Refusal =>
  new Refusal(404, 'NOT_FOUND', 'This link does not work, or not any more. Ask whoever sent it for a new one.')

/** Alive to the second: not expired, not revoked, uses left, and its organization is active. */
const isAlive = sql<boolean>`revoked_date is null and expire_date > now() and (max_uses is null or uses < max_uses)
  and exists (select 1 from organizations o where o.id = scan_shares.organization_id and o.status = 'Activated')`

/** What the public page of a share link asks (P25). Nothing about the patient leaves before the download. */
export function publicShareHandlers(deps: Dependencies): OpenShares {
  const getLink = async (token: string) => {
    const link = await deps.db
      .selectFrom('scan_shares')
      .select(['id', 'organization_id', 'series_uid', 'expire_date', 'password_hash', 'max_uses', 'uses'])
      .where('token_hash', '=', hashLinkToken(isLinkToken(token) ? token : ''))
      .where(isAlive)
      .executeTakeFirst()
    if (!link) throw gone()
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
      const downloadUrl = await deps.write({ request }, async ({ trx, audit }) => {
        // Judged again with the use: two people cannot both have the last one.
        const used = await trx
          .updateTable('scan_shares')
          .set({ uses: sql`uses + 1`, failures: 0, blocked_until: null, last_used_date: new Date() })
          .where('id', '=', link.id)
          .where(isAlive)
          .returning('id')
          .executeTakeFirst()
        if (!used) throw gone()
        const url = await newDownload(deps, trx, {
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
        return url
      })
      return { downloadUrl }
    },
  }
}

/** Each try is counted before it is judged, so that many at once are no more than one after the other. */
async function checkPassword(
  deps: Dependencies,
  link: { id: string; password_hash: string | null },
  password: string | null,
): Promise<void> {
  if (link.password_hash === null) return
  const counted =
    await sql`update scan_shares set failures = failures + 1, blocked_until = case when failures + 1 < ${FREE_TRIES}
    then null
    else now() + make_interval(secs => least(${LONGEST_WAIT_SECONDS}, power(2, least(20, failures + 1 -
    ${FREE_TRIES})))) end
    where id = ${link.id} and (blocked_until is null or blocked_until <= now()) returning id`.execute(deps.db)
  if (counted.rows.length === 0) {
    const { rows } = await sql<{
      seconds: number
    }>`select ceil(extract(epoch from blocked_until - now()))::int as seconds from scan_shares where id = ${link.id}`.execute(
      deps.db,
    )
    throw tooManyRequests(rows[0]?.seconds ?? 1, 'Too many wrong passwords.')
  }
  if (await deps.hasher.isRight(password ?? '', link.password_hash)) return
  throw new Refusal(400, 'WRONG_PASSWORD', 'This password is not right.', [
    { path: 'password', message: 'This password is not right.' },
  ])
}
