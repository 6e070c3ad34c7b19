import type { PublicContext } from '../core/context.ts'
import { toAddressKey } from '../core/addressKey.ts'
import type { Source } from '../db/client.ts'
import { sql } from 'kysely'
import { describeDevice } from './device.ts'
import { findDevice } from './knownDevice.ts'
import type { Keys } from './keys.ts'

/** Sessions that are looked through; the newest say where somebody works. */
const mostSessions = 200

/**
 * Whether an account is used in a browser that it was never used in, from a network where it was never used in such a
 * browser. The first sign-in of an account is nothing new; the audit rows know of it after its sessions were deleted.
 */
export async function isNewPlace(
  db: Source,
  keys: Pick<Keys, 'digest'>,
  account: { readonly id: string; readonly email: string },
  { request, cookies }: PublicContext,
): Promise<boolean> {
  if (findDevice(keys, cookies.read('dmp-device'), account.email) !== undefined) return false
  const earlier = await db
    .selectFrom('sessions')
    .select(['device', 'address'])
    .where('user_id', '=', account.id)
    .orderBy('started_date', 'desc')
    .orderBy('id')
    .limit(mostSessions)
    .execute()
  const device = describeDevice(request.userAgent)
  const network = toAddressKey(request.ip)
  if (earlier.some((seen) => seen.device === device && toAddressKey(seen.address) === network)) return false
  return earlier.length > 0 || (await hasSignedIn(db, account.id))
}

async function hasSignedIn(db: Source, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .where('actor_id', '=', userId)
    .where('event', '=', 'SignedIn')
    .where(sql<boolean>`subject ->> 'sessionId' is not null`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
