import { sql, type Transaction } from 'kysely'
import { sharedNow } from '../../core/clock.ts'
import { tooManyRequests } from '../../core/errors.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Write } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { temporaryPasswordMail, temporaryPasswordSubject } from './account.mails.ts'
import { createTemporaryPassword } from '../../identity/password.ts'

export interface Temporary {
  readonly password: string
  /** Columns of the user's row. */
  readonly columns: { readonly password_hash: string; readonly temporary_until: Date; readonly is_confirmed: false }
}

/** Made before the write begins: hashing takes time, for which no transaction should wait. */
export async function makeTemporaryPassword({ hasher, settings }: Dependencies): Promise<Temporary> {
  const password = createTemporaryPassword()
  const temporary_until = new Date(sharedNow() + settings.temporaryPasswordHours * 3_600_000)
  return { password, columns: { password_hash: await hasher.hash(password), temporary_until, is_confirmed: false } }
}

/**
 * Mails it, within the write that stores its columns.
 *
 * @example
 * const temporary = await makeTemporaryPassword(parts)
 * await write(context, async (step) => {
 *   await step.trx.updateTable('users').set(temporary.columns).where('id', '=', id).execute()
 *   await mailTemporaryPassword(step, parts, user, temporary)
 *   await step.audit({ event: 'TemporaryPasswordSent', subject: { userId: id } })
 * })
 */
export async function mailTemporaryPassword(
  { trx, afterwards }: Write,
  { mail, settings, publicUrl }: Dependencies,
  user: { email: string; fullName: string; language?: string | undefined },
  { password }: Temporary,
): Promise<void> {
  await mail.queue(trx, temporaryPasswordMail(user, password, settings.temporaryPasswordHours, publicUrl()))
  afterwards(mail.deliver)
}

/** Mails that one address gets in an hour, however many administrators send them: it may be a stranger's. */
const mostPerHour = 5

/** Throws 429 where the address got as many already. To be asked while the user is locked. */
export async function assertMailedSeldom(trx: Transaction<Tables>, email: string): Promise<void> {
  const { count, wait } = await trx
    .selectFrom('mails')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(sql<number>`extract(epoch from min(created_date) + interval '1 hour' - now())::float8`.as('wait'))
    .where(sql<boolean>`lower(recipient) = lower(${email}::text)`)
    .where(sql<string>`coalesce(about, subject)`, '=', temporaryPasswordSubject)
    .where('created_date', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  if (count >= mostPerHour)
    throw tooManyRequests(wait, 'Several temporary passwords were mailed to this address already.')
}
