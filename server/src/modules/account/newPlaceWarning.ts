import { sharedDate } from '../../core/clock.ts'
import type { PublicContext } from '../../core/context.ts'
import type { Write } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { describeDevice } from '../../identity/device.ts'
import { fullName } from '../../identity/user.ts'
import { newPlaceMail } from './account.mails.ts'
import type { Account } from './account.repository.ts'

/** Of an account within a day: whoever comes from many networks does not flood its mailbox. */
const mostMails = 5

/**
 * Queues the mail in the transaction of the sign-in, before its fact is recorded: nothing that the new session reads
 * or chooses stops it.
 */
export async function warnOfNewPlace(
  { trx, afterwards }: Write,
  { mail, publicUrl }: Pick<Dependencies, 'mail' | 'publicUrl'>,
  account: Account,
  { request }: PublicContext,
): Promise<void> {
  // Sign-ins at the same moment are counted one after another.
  await trx.selectFrom('users').select('id').where('id', '=', account.id).forNoKeyUpdate().execute()
  const earlier = await trx
    .selectFrom('inbox_facts')
    .select('id')
    .where('user_id', '=', account.id)
    .where('kind', '=', 'NewSignIn')
    .where('created_date', '>', new Date(sharedDate().getTime() - 86_400_000))
    .limit(mostMails)
    .execute()
  if (earlier.length >= mostMails) return
  const what = `${describeDevice(request.userAgent)}, ${request.ip}`
  const to = { email: account.email, fullName: fullName(account), timeZone: account.time_zone }
  await mail.queue(trx, newPlaceMail(to, what, sharedDate(), publicUrl()))
  afterwards(mail.deliver)
}
