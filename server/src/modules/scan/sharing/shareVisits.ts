import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Cookies } from '../../../core/context.ts'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { createLinkToken, hashLinkToken, isLinkToken } from '../linkTokens.ts'

/** A browser that opened a link may look for this long, or until the link ends; then it opens the link again. */
export const visitHours = 8

export interface ShareVisit {
  readonly id: string
  readonly expires_date: Date
}

const cookieOf = (shareId: string) => `dmp-share-${shareId}` as const

/** Visits are kept as long as their link, because they tell its sender who opened it. */
export async function findVisit(
  db: Pick<Db, 'selectFrom'>,
  shareId: string,
  cookies: Pick<Cookies, 'read'>,
): Promise<ShareVisit | undefined> {
  const isVisit = isVisitOf(shareId, cookies)
  if (!isVisit) return undefined
  return db.selectFrom('scan_share_visits').select(['id', 'expires_date']).where(isVisit).executeTakeFirst()
}

/** The condition on the visit of this browser; undefined where it holds no cookie of the link. */
export function isVisitOf(shareId: string, cookies: Pick<Cookies, 'read'>): RawBuilder<boolean> | undefined {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(shareId)) return undefined
  const token = cookies.read(cookieOf(shareId))
  if (token === undefined || !isLinkToken(token)) return undefined
  return sql<boolean>`scan_share_visits.share_id = ${shareId}
    and scan_share_visits.token_hash = ${hashLinkToken(token)} and scan_share_visits.expires_date > now()`
}

/** Returns the visit, and gives the browser its cookie. */
export async function beginVisit(
  trx: Transaction<Tables>,
  share: { readonly id: string; readonly expire_date: Date },
  email: string | null,
  cookies: Cookies,
): Promise<ShareVisit> {
  const token = createLinkToken()
  const expiresDate = new Date(Math.min(Date.now() + visitHours * 3_600_000, share.expire_date.getTime()))
  const { id } = await trx
    .insertInto('scan_share_visits')
    .values({ share_id: share.id, token_hash: hashLinkToken(token), email, expires_date: expiresDate })
    .returning('id')
    .executeTakeFirstOrThrow()
  cookies.set(cookieOf(share.id), token, (expiresDate.getTime() - Date.now()) / 1000)
  return { id, expires_date: expiresDate }
}
