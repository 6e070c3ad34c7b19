import type { RoleName, businessUser } from '@dmp/contract'
import { providerOrganizationId } from '@dmp/contract/organization'
import { nextUpdatedDate } from '../../db/optimisticLock.ts'
import type { Db, Source } from '../../db/client.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal, notFound } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { mailTemporaryPassword, makeTemporaryPassword } from '../account/temporaryPassword.ts'
import { fullName, toUser } from '../../identity/user.ts'
import { getOrganizationRow } from '../organization/organization.repository.ts'
import { roleOfId } from '../../identity/roles.ts'
import { termsMail } from './businessUser.mails.ts'
import { addUser, getUserRow, listTermsReaders, lockUser, setTemporaryPassword } from './businessUser.repository.ts'
import { emailTaken, refuseAbove } from './businessUser.rules.ts'

export type Mailing = 'add' | 'resetTemporaryPassword' | 'sendUpdatedTermsOfUse'

/** The calls that write to people. Hashing comes before the transaction: nobody waits for it with rows locked. */
export const mailingHandlers = (deps: Dependencies): Pick<Handlers<typeof businessUser>, Mailing> => ({
  add: async ({ userName, organizationId, roleId, ...draft }, context) => {
    const { viewer } = context
    // 3.16
    if (userName !== draft.email) throw invalid('userName', 'The user name is the email address.')
    const role = await roleFor(deps.db, viewer, roleId, organizationId)
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, async (step) => {
      const { trx, audit } = step
      const home = await getActivated(trx, viewer, organizationId)
      const added = addUser(trx, {
        ...draft,
        organizationId: home.id,
        role,
        temporary: temporary.columns,
        by: viewer.fullName,
      })
      const row = await getUserRow(trx, viewer, await refuseUniqueViolation('users_email', emailTaken, added))
      await mailTemporaryPassword(step, deps, { email: row.email, fullName: fullName(row) }, temporary)
      await audit({ event: 'UserAdded', organizationId: home.id, subject: { userId: row.id, role } })
      return toUser(row)
    })
  },

  resetTemporaryPassword: async ({ id }, context) => {
    const { viewer } = context
    await getUserRow(deps.db, viewer, id)
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, async (step) => {
      const { trx, audit } = step
      const row = await lockUser(trx, viewer, id)
      refuseAbove(viewer, row.role)
      // 6.07
      if (row.is_confirmed)
        throw new Refusal(409, 'ALREADY_CONFIRMED', `${fullName(row)} has chosen a password already.`)
      if (row.status !== 'Activated') throw new Refusal(409, 'USER_DEACTIVATED', `${fullName(row)} is deactivated.`)
      await getActivated(trx, viewer, row.organization_id)
      await setTemporaryPassword(trx, row.id, temporary, nextUpdatedDate(row.updated_date))
      await mailTemporaryPassword(step, deps, { email: row.email, fullName: fullName(row) }, temporary)
      await audit({ event: 'TemporaryPasswordSent', organizationId: row.organization_id, subject: { userId: row.id } })
      return null
    })
  },

  sendUpdatedTermsOfUse: ({ termsLink }, context) => {
    const { settings, mail } = deps
    // Whoever sends mail to everybody may not choose where it leads.
    if (termsLink !== settings.termsLink) throw invalid('termsLink', 'Only the configured Terms of Use can be sent.')
    return deps.write(context, async ({ trx, audit, afterwards }) => {
      const readers = await listTermsReaders(trx)
      for (const reader of readers)
        await mail.queue(trx, termsMail({ email: reader.email, fullName: fullName(reader) }, settings.termsLink))
      afterwards(mail.deliver)
      await audit({ event: 'TermsSent', subject: { recipients: readers.length } })
      return null
    })
  },
})

/** Nobody is invited into a deactivated organization. */
async function getActivated(db: Source, viewer: Viewer, organizationId: string): Promise<{ readonly id: string }> {
  const home = await getOrganizationRow(db, viewer, organizationId)
  const message = `${home.name} is deactivated.`
  if (home.status !== 'Activated')
    throw new Refusal(409, 'ORGANIZATION_DEACTIVATED', message, [{ path: 'organizationId', message }])
  return home
}

const invalid = (path: string, message: string) => new Refusal(400, 'INVALID', message, [{ path, message }])

/** The organization is looked up first: what is not the viewer's does not exist, whatever else is wrong. */
async function roleFor(db: Db, viewer: Viewer, roleId: string, organizationId: string): Promise<RoleName> {
  const home = await getOrganizationRow(db, viewer, organizationId)
  const role = roleOfId(roleId)
  if (!role) throw notFound()
  refuseAbove(viewer, role)
  // These two see every organization, so they are the provider's own people.
  const isProviders = role === 'super_admin' || role === 'sys_admin'
  if (isProviders && home.id !== providerOrganizationId)
    throw invalid('roleId', "This role is for the provider's own organization.")
  return role
}
