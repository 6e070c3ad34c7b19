import type { organization } from '@dmp/contract'
import type { Handler } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { fullName } from '../../identity/user.ts'
import { makeTemporaryPassword } from '../account/temporaryPassword.ts'
import { isEmailTaken } from '../businessUser/businessUser.repository.ts'
import { emailTaken } from '../businessUser/businessUser.rules.ts'
import { addCustomer } from './addCustomer.ts'
import { welcomeMail } from './organization.mails.ts'
import { getOrganization } from './organization.repository.ts'

/** A customer that the provider knows already: without a registration, working at once. */
export function addHandler(deps: Dependencies): Handler<typeof organization.add> {
  const { db, mail, settings, publicUrl } = deps
  return async ({ name, withDatastore, saas, ...person }, context) => {
    const { viewer } = context
    // Hashing the password is slow, so a taken address is refused before it.
    if (await isEmailTaken(db, person.email)) throw emailTaken()
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, async ({ trx, audit, afterwards }) => {
      const region = await trx.selectFrom('regions').select('id').where('is_default', '=', true).executeTakeFirst()
      const { organizationId, userId } = await addCustomer(trx, {
        name,
        taken: ['name', 'Choose another name.'],
        regionId: region?.id ?? null,
        withDatastore,
        saas,
        administrator: { ...person, mobile: null, landline: null, fax: null },
        temporary: temporary.columns,
        by: viewer.fullName,
      })
      const recipient = {
        email: person.email,
        fullName: fullName({ civility: person.civility, first_name: person.firstName, last_name: person.lastName }),
        language: context.request.language,
      }
      await mail.queue(
        trx,
        welcomeMail(recipient, {
          organizationName: name,
          hasDatastore: withDatastore,
          saas,
          password: temporary.password,
          hours: settings.temporaryPasswordHours,
          url: publicUrl(),
        }),
      )
      afterwards(mail.deliver)
      await audit({ event: 'OrganizationAdded', organizationId, subject: { userId, withDatastore, saas } })
      return getOrganization(trx, viewer, organizationId)
    })
  }
}
