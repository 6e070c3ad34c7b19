import { sql, type RawBuilder } from 'kysely'
import { sharedDate, sharedNow } from '../../../core/clock.ts'
import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../db/client.ts'
import { createLinkToken, hashLinkToken } from '../linkTokens.ts'
import { isNotTakenBack } from '../../../identity/rightUnderWay.ts'
import { isShareAlive } from '../sharing/shareExpiry.ts'

/** A link may be opened this long, and a broken download continued. */
const linkMinutes = 15
/** How often a broken download may be continued: more is no bad line, but somebody who takes it again and again. */
export const mostRests = 50

interface NewDownload {
  readonly organization_id: string
  readonly series_uid: string
  /** The signed-in user, or the share link that the download belongs to. */
  readonly user_id: string | null
  readonly share_id: string | null
  /** The session of the signed-in user. */
  readonly session_id: string | null
}

/** Adds a one-time link to a series and returns its token. */
export async function createDownload(
  db: Pick<Db, 'insertInto' | 'deleteFrom'>,
  download: NewDownload,
): Promise<string> {
  const token = createLinkToken()
  await db.deleteFrom('scan_downloads').where('expires_date', '<', sharedDate()).execute()
  await db
    .insertInto('scan_downloads')
    .values({
      ...download,
      token_hash: hashLinkToken(token),
      expires_date: new Date(sharedNow() + linkMinutes * 60_000),
      used_date: null,
    })
    .execute()
  return token
}

export type DownloadLink = NonNullable<Awaited<ReturnType<typeof findDownload>>>

/** Addresses that servers of the version before made know no session; they last for minutes. */
const isInSession = (condition: RawBuilder<boolean>) => sql<boolean>`(scan_downloads.session_id is null or exists (
  select 1 from sessions where sessions.id = scan_downloads.session_id and ${condition}))`
const isSessionAlive = sql<boolean>`sessions.ended_date is null and sessions.expires_date > now()`

/** A link of an active user who is still signed in, or of a share link that still works, in an active organization. */
export const findDownload = (db: Db, token: string) =>
  selectDownloads(db, token, isSessionAlive).where('scan_downloads.expires_date', '>', sharedDate()).executeTakeFirst()

/** Whether a download that has begun may go on, however long it takes. */
export const mayContinue = async (db: Db, token: string): Promise<boolean> =>
  (await selectDownloads(db, token, isNotTakenBack).executeTakeFirst()) !== undefined

/** Of people who may sign in, and of links that work. */
const selectDownloads = (db: Db, token: string, sessionCondition: RawBuilder<boolean>) =>
  db
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
      'scan_downloads.session_id',
      'scan_downloads.used_date',
      'scan_downloads.ended_date',
      'users.organization_id as user_organization_id',
      'scan_shares.created_by as shared_by',
    ])
    // Such a link is opened with a code alone, and that went to this address.
    .select(sql<string | null>`case when scan_shares.has_code then scan_shares.recipient end`.as('proven_email'))
    .where('scan_downloads.token_hash', '=', hashLinkToken(token))
    .where(
      sql<boolean>`((users.status = 'Activated' and ${isInSession(sessionCondition)})
        or (scan_shares.id is not null and scan_shares.allows_download and ${isShareAlive}))`,
    )

/** What a download holds: its series, or everything that its share link opens. */
export async function listSeriesOf(db: Db, { series_uid: own, share_id: shareId }: DownloadLink): Promise<string[]> {
  if (shareId === null) return [own]
  const rows = await db.selectFrom('shared_series').select('series_uid').where('share_id', '=', shareId).execute()
  return rows.map((row) => row.series_uid)
}

/** How many files the zip of the series has. */
export async function countFiles(db: Db, organizationId: string, seriesUIDs: readonly string[]): Promise<number> {
  const { rows } = await sql<{ files: number }>`
    select coalesce(sum(instances), 0)::int as files from series
    where organization_id = ${organizationId} and series_uid = any(${[...seriesUIDs]}::text[])`.execute(db)
  return rows[0]?.files ?? 0
}

/** Marks a link as opened; 404 when another request was first. */
export async function markUsed(db: Pick<Db, 'updateTable'>, link: DownloadLink): Promise<void> {
  const usedLink = await db
    .updateTable('scan_downloads')
    .set({ used_date: sharedDate() })
    .where('token_hash', '=', link.token_hash)
    .where('used_date', 'is', null)
    .returning('series_uid')
    .executeTakeFirst()
  if (!usedLink) throw notFound()
}

/** Counts one more continuation; 404 when the download has ended meanwhile, or was continued as often as it may be. */
export async function markContinued(db: Pick<Db, 'updateTable'>, link: DownloadLink): Promise<void> {
  const continuedLink = await db
    .updateTable('scan_downloads')
    .set({ rests: sql<number>`rests + 1` })
    .where('token_hash', '=', link.token_hash)
    .where('ended_date', 'is', null)
    .where('rests', '<', mostRests)
    .returning('series_uid')
    .executeTakeFirst()
  if (!continuedLink) throw notFound()
}

/** All bytes were sent: whoever finds the address afterwards gets nothing, also by asking for the rest of the zip. */
export async function markEnded(db: Pick<Db, 'updateTable'>, link: DownloadLink): Promise<void> {
  await db
    .updateTable('scan_downloads')
    .set({ ended_date: sharedDate() })
    .where('token_hash', '=', link.token_hash)
    .execute()
}
