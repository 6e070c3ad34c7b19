import type { account } from '@dmp/contract'
import { providerOrganizationId } from '@dmp/contract/organization'
import { sql } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Source } from '../../db/client.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isSetupToken, setupMinutes } from '../../identity/setupLink.ts'
import { emailTaken } from '../businessUser/businessUser.rules.ts'

export type FirstRun = Pick<Handlers<typeof account>, 'checkSetupLink' | 'addFirstAdministrator'>

/** One sentence for a wrong, an old and a used link: a stranger does not learn whether an installation is empty. */
const linkOver = (): Refusal =>
  new Refusal(
    400,
    'SETUP_LINK_OVER',
    `This set-up link does not work. A link is valid for ${setupMinutes} minutes and only until there is an administrator. For a new one: npm run admin -- setup-link`,
  )

export async function hasAdministrator(db: Source): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', providerOrganizationId)
    .where('role', 'in', ['super_admin', 'sys_admin'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const firstAdministratorHandlers = ({ db, keys, hasher, write }: Dependencies): FirstRun => ({
  checkSetupLink: async ({ setupToken }) => {
    if (!isSetupToken(keys, setupToken) || (await hasAdministrator(db))) throw linkOver()
    return null
  },

  addFirstAdministrator: async ({ setupToken, newPassword, ...person }, { request }) => {
    // Hashing is slow, so strangers and the late are refused before it.
    if (!isSetupToken(keys, setupToken) || (await hasAdministrator(db))) throw linkOver()
    const password_hash = await hasher.hashChosen(newPassword, 'newPassword')
    await write({ request }, async ({ trx, audit }) => {
      // Of two at once the second waits here, and finds the administrator of the first.
      await sql`select pg_advisory_xact_lock(hashtext('first administrator'))`.execute(trx)
      if (await hasAdministrator(trx)) throw linkOver()
      const added = trx
        .insertInto('users')
        .values({
          organization_id: providerOrganizationId,
          email: person.email,
          civility: person.civility,
          first_name: person.firstName,
          last_name: person.lastName,
          mobile: null,
          landline: null,
          fax: null,
          role: 'super_admin',
          password_hash,
          temporary_until: null,
          is_confirmed: true,
          status_by: 'System',
          status_comment: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id } = await refuseUniqueViolation('users_email', emailTaken, added)
      await audit({
        event: 'AdministratorCreated',
        organizationId: providerOrganizationId,
        subject: { userId: id, role: 'super_admin' },
      })
    })
    return null
  },
})
