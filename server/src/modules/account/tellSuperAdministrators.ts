import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'
import { fullName } from '../../identity/user.ts'
import type { Letter } from '../../outside/letter.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Queues a mail to every super administrator; deliver it after the commit. */
export async function tellSuperAdministrators(
  { mail }: Pick<Dependencies, 'mail'>,
  trx: Transaction<Tables>,
  toLetter: (admin: { readonly email: string; readonly fullName: string }) => Letter,
): Promise<void> {
  const admins = await trx
    .selectFrom('users')
    .select(['email', 'civility', 'first_name', 'last_name'])
    .where('role', '=', 'super_admin')
    .where('status', '=', 'Activated')
    .execute()
  for (const admin of admins) await mail.queue(trx, toLetter({ email: admin.email, fullName: fullName(admin) }))
}
