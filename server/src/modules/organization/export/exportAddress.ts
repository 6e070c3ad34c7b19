import { limits } from '@dmp/contract'
import { sql } from 'kysely'
import { sharedDate, sharedNow } from '../../../core/clock.ts'
import type { Viewer } from '../../../core/context.ts'
import type { Db } from '../../../db/client.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { isNotTakenBack } from '../../../identity/rightUnderWay.ts'
import { createLinkToken, hashLinkToken } from '../../scan/linkTokens.ts'
import { findReady, mayExport, type ExportRow } from './export.repository.ts'

const hourMs = 3_600_000
/** How often an address may be asked: a bad line of a day breaks off less often. */
export const mostUses = 2000

export const exportPath = '/api/Organization/exports/:token'

export const toExportUrl = ({ publicUrl }: Pick<Dependencies, 'publicUrl'>, token: string): string =>
  `${publicUrl()}${exportPath.replace(':token', token)}`

/** For the person and the session that asked, and nobody else's right. */
export async function addAddress(db: Db, exportId: string, viewer: Viewer): Promise<string> {
  const token = createLinkToken()
  await db
    .insertInto('organization_export_addresses')
    .values({
      token_hash: hashLinkToken(token),
      export_id: exportId,
      user_id: viewer.userId,
      session_id: viewer.sessionId,
      expires_date: new Date(sharedNow() + limits.exportAddressHours * hourMs),
    })
    .execute()
  return token
}

/** An address that opens now: of an archive that is there, and of somebody who may have it and is signed in. */
export interface OpenAddress {
  readonly tokenHash: string
  readonly userId: string
  readonly userOrganizationId: string
  readonly sessionId: string
  readonly row: ExportRow
}

/** `isBegun`: what is being sent goes on past the end of the session, unless somebody has taken it back. */
export async function findAddress(db: Db, token: string, { isBegun = false } = {}): Promise<OpenAddress | undefined> {
  const isAlive = sql<boolean>`sessions.ended_date is null and sessions.expires_date > now()`
  let query = db
    .selectFrom('organization_export_addresses as a')
    .innerJoin('users', 'users.id', 'a.user_id')
    .innerJoin('sessions', (on) =>
      on.onRef('sessions.id', '=', 'a.session_id').onRef('sessions.user_id', '=', 'users.id'),
    )
    .select(['a.token_hash', 'a.export_id', 'a.user_id', 'a.session_id', 'users.organization_id'])
    .where('a.token_hash', '=', hashLinkToken(token))
    .where(isBegun ? isNotTakenBack : isAlive)
  if (!isBegun) query = query.where('a.expires_date', '>', sharedDate())
  const address = await query.executeTakeFirst()
  const row = address && (await findReady(db, address.export_id))
  if (!row || !(await mayExport(db, address.user_id, row.organization_id))) return undefined
  return {
    tokenHash: address.token_hash,
    userId: address.user_id,
    userOrganizationId: address.organization_id,
    sessionId: address.session_id,
    row,
  }
}

/** False when it was asked as often as it may be. */
export async function countUse(db: Pick<Db, 'updateTable'>, tokenHash: string): Promise<boolean> {
  const counted = await db
    .updateTable('organization_export_addresses')
    .set({ uses: sql<number>`uses + 1` })
    .where('token_hash', '=', tokenHash)
    .where('uses', '<', mostUses)
    .returning('uses')
    .executeTakeFirst()
  return counted !== undefined
}
