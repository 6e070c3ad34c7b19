import type { Transaction } from 'kysely'
import type { Caller } from '../../core/context.ts'
import { toTimeZone } from '../../core/timeZones.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Account } from './account.repository.ts'

/**
 * In what language and by what clock somebody reads mails: those of their last sign-in. A new place changes nothing
 * that is known, or a thief would choose the language of the warnings. Programs have neither.
 */
export async function keepReader(
  trx: Transaction<Tables>,
  account: Pick<Account, 'id' | 'language' | 'time_zone'>,
  request: Caller,
  isNew: boolean,
): Promise<void> {
  const found = { language: request.language ?? null, time_zone: toTimeZone(request.timeZone) ?? null }
  const next = isNew
    ? { language: account.language ?? found.language, time_zone: account.time_zone ?? found.time_zone }
    : { language: found.language ?? account.language, time_zone: found.time_zone ?? account.time_zone }
  if (next.language === account.language && next.time_zone === account.time_zone) return
  await trx.updateTable('users').set(next).where('id', '=', account.id).execute()
}
