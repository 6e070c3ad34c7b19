import { limits } from '@dmp/contract/limits'
import type { ScopeName } from '@dmp/contract/apiToken'
import { sql, type Insertable, type Selectable, type Transaction } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { Busy, tooManyOfAll } from '../../core/errors.ts'
import type { Db, Source } from '../../db/client.ts'
import type { DeviceCodeTable } from '../../db/tables/apiToken.ts'
import type { Tables } from '../../db/tables/index.ts'

export type DeviceRow = Selectable<DeviceCodeTable>
export type NewDevice = Pick<
  Insertable<DeviceCodeTable>,
  'device_code_hash' | 'user_code_hash' | 'client_id' | 'name' | 'asked_scopes' | 'address' | 'address_key'
>

/** Codes that wait for a person: of one address, and of everybody together. */
export const mostOfAddress = 20
export const mostOfAll = 10_000

/**
 * Keeps a machine that asks, for some minutes. Throws 429 and 503 while too many wait. Returns false where another one
 * happens to have the same code.
 */
export const addDevice = (db: Db, device: NewDevice): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // One after the other, so that the bounds hold.
    await sql`select pg_advisory_xact_lock(hashtext('device codes'))`.execute(trx)
    await trx
      .deleteFrom('device_codes')
      .where('expires_date', '<', sql<Date>`now() - interval '10 minutes'`)
      .execute()
    const { all, ofAddress } = await trx
      .selectFrom('device_codes')
      .select(sql<number>`count(*)::int`.as('all'))
      .select(sql<number>`count(*) filter (where address_key = ${device.address_key})::int`.as('ofAddress'))
      .where('expires_date', '>', sql<Date>`now()`)
      .executeTakeFirstOrThrow()
    if (ofAddress >= mostOfAddress) throw tooManyOfAll(limits.deviceCodeSeconds, 'Too many machines are waiting.')
    if (all >= mostOfAll) throw new Busy('Too many machines are waiting. Try again in a few minutes.', 60, false)
    const added = await trx
      .insertInto('device_codes')
      .values({
        ...device,
        expires_date: sql<Date>`now() + make_interval(secs => ${limits.deviceCodeSeconds})`,
        interval_seconds: limits.devicePollSeconds,
        polled_date: null,
        denied_date: null,
        approver_id: null,
        organization_id: null,
        approved_name: null,
        approved_scopes: null,
        approved_addresses: null,
        approved_days: null,
        collected_date: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return added.numInsertedOrUpdatedRows === 1n
  })

const openOnes = (source: Source, userCodeHash: string) =>
  source
    .selectFrom('device_codes')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash)
    .where('expires_date', '>', sql<Date>`now()`)
    .where('denied_date', 'is', null)
    .where('approver_id', 'is', null)

/** The machine that waits with this code; undefined once somebody has decided, and when the code is over. */
export const findOpenDevice = (source: Source, userCodeHash: string): Promise<DeviceRow | undefined> =>
  openOnes(source, userCodeHash).executeTakeFirst()

export interface Approval {
  readonly name: string
  readonly scopes: readonly ScopeName[]
  readonly addresses: readonly string[]
  readonly expireInDays: number
}

/** Of two people who decide at once, the first one does. Returns whether it was this one. */
export async function approveDevice(
  trx: Transaction<Tables>,
  userCodeHash: string,
  { userId, organizationId }: Viewer,
  { name, scopes, addresses, expireInDays }: Approval,
): Promise<boolean> {
  const device = await openOnes(trx, userCodeHash).forUpdate().executeTakeFirst()
  if (!device) return false
  await trx
    .updateTable('device_codes')
    .set({
      approver_id: userId,
      organization_id: organizationId,
      approved_name: name,
      approved_scopes: [...scopes],
      approved_addresses: [...addresses],
      approved_days: expireInDays,
    })
    .where('user_code_hash', '=', userCodeHash)
    .execute()
  return true
}

export async function denyDevice(trx: Transaction<Tables>, userCodeHash: string): Promise<DeviceRow | undefined> {
  const device = await openOnes(trx, userCodeHash).forUpdate().executeTakeFirst()
  if (!device) return undefined
  await trx
    .updateTable('device_codes')
    .set({ denied_date: sql<Date>`now()` })
    .where('user_code_hash', '=', userCodeHash)
    .execute()
  return device
}

/** What became of a machine's question, and whether it comes too early. */
export interface Polled {
  readonly device: DeviceRow
  readonly isOver: boolean
  readonly isEarly: boolean
}

/** Lines are not of even length: so much earlier is not early. */
const graceSeconds = 1
const mostSeconds = 60

/** A machine asks what became of its code. Of two that ask at once, the second one is early. */
export const pollDevice = (db: Db, deviceCodeHash: string, clientId: string): Promise<Polled | undefined> =>
  db.transaction().execute(async (trx) => {
    const device = await trx
      .selectFrom('device_codes')
      .selectAll()
      .select(sql<boolean>`expires_date <= now()`.as('isOver'))
      .select(
        sql<boolean>`coalesce(polled_date > now() - make_interval(secs => interval_seconds - ${graceSeconds}), false)`.as(
          'isEarly',
        ),
      )
      .where('device_code_hash', '=', deviceCodeHash)
      .where('client_id', '=', clientId)
      .forUpdate()
      .executeTakeFirst()
    if (!device) return undefined
    const { isOver, isEarly } = device
    await trx
      .updateTable('device_codes')
      .set({
        polled_date: sql<Date>`now()`,
        ...(isEarly && {
          interval_seconds: Math.min(mostSeconds, device.interval_seconds + limits.devicePollSeconds),
        }),
      })
      .where('device_code_hash', '=', deviceCodeHash)
      .execute()
    return { device, isOver, isEarly }
  })

/** Marks the code as used. Returns false when another question was quicker. */
export async function collectDevice(trx: Transaction<Tables>, deviceCodeHash: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('device_codes')
    .set({ collected_date: sql<Date>`now()` })
    .where('device_code_hash', '=', deviceCodeHash)
    .where('collected_date', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
