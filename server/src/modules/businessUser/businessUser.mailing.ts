import type { RoleName, businessUser } from '@dmp/contract'
import { providerOrganizationId } from '@dmp/contract/organization'
import type { Db, Source } from '../../db/client.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal, notFound } from '../../core/errors.ts'
import { liftLockout } from '../../identity/loginAttempts.ts'
import type { Dependencies } from '../../dependencies.ts'
import { assertMailedSeldom, mailTemporaryPassword, makeTemporaryPassword } from '../account/temporaryPassword.ts'
import { fullName, toUser } from '../../identity/user.ts'
import { getOrganizationRow, type OrganizationRow } from '../organization/organization.repository.ts'
import { roleOfId } from '../../identity/roles.ts'
import { termsMail } from './businessUser.mails.ts'
import {
  addUser,
  getUserRow,
  listTermsReaders,
  lockUser,
  setTemporaryPassword,
  type UserRow,
} from './businessUser.repository.ts'
import { emailTaken, refuseAbove } from './businessUser.rules.ts'

export type MailingCall = 'add' | 'resetTemporaryPassword' | 'sendUpdatedTermsOfUse'

/** The calls that send mail. Hashing a password comes before the transaction, so that no lock is held meanwhile. */
export const mailingHandlers = (deps: Dependencies): Pick<Handlers<typeof businessUser>, MailingCall> => ({
  add: async ({ userName, organizationId, roleId, ...draft }, context) => {
    const { viewer } = context
    // 3.16: the user name equals the email address.
    if (userName !== draft.email) throw invalid('userName', 'The user name must be the email address.')
    const role = await getRole(deps.db, viewer, roleId, organizationId)
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, async (change) => {
      const { trx, audit } = change
      const home = await getActivatedOrganization(trx, viewer, organizationId)
      const addedUser = addUser(trx, {
        ...draft,
        organizationId: home.id,
        role,
        temporary: temporary.columns,
        by: viewer.fullName,
      })
      const user = await refuseUniqueViolation('users_email', emailTaken, addedUser)
      const row = { ...user, organization_name: home.name }
      const reader = { email: row.email, fullName: fullName(row), language: context.request.language }
      await mailTemporaryPassword(change, deps, reader, temporary)
      await audit({ event: 'UserAdded', organizationId: home.id, subject: { userId: row.id, role } })
      return toUser(row)
    })
  },

  resetTemporaryPassword: async ({ id }, context) => {
    const { viewer } = context
    // Hashing the password is slow, so an unknown user is refused before it.
    await getUserRow(deps.db, viewer, id)
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, async (change) => {
      const { trx, audit } = change
      const row = await lockUser(trx, viewer, id)
      refuseAbove(viewer, row.role)
      refuseConfirmed(row)
      await getActivatedOrganization(trx, viewer, row.organization_id)
      await assertMailedSeldom(trx, row.email)
      await setTemporaryPassword(trx, row, temporary)
      await liftLockout(trx, deps.keys, row)
      const reader = { email: row.email, fullName: fullName(row), language: context.request.language }
      await mailTemporaryPassword(change, deps, reader, temporary)
      await audit({ event: 'TemporaryPasswordSent', organizationId: row.organization_id, subject: { userId: row.id } })
      return null
    })
  },

  sendUpdatedTermsOfUse: ({ termsLink }, context) => {
    const { settings, mail } = deps
    // The caller must not choose where a mail to all users leads.
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

/** 6.07: a temporary password is for users who have not chosen one yet, and who may sign in. */
function refuseConfirmed(row: UserRow): void {
  if (row.is_confirmed)
    throw new Refusal(
      409,
      'ALREADY_CONFIRMED',
      `${fullName(row)} has already chosen a password and can reset it with “Forgot password”.`,
    )
  if (row.status !== 'Activated')
    throw new Refusal(409, 'USER_DEACTIVATED', `${fullName(row)} is deactivated. Activate the user first.`)
}

/** 4.03: users of a deactivated organization cannot sign in, so none is invited. */
async function getActivatedOrganization(db: Source, viewer: Viewer, organizationId: string): Promise<OrganizationRow> {
  const home = await getOrganizationRow(db, viewer, organizationId)
  const message = `${home.name} is deactivated. Activate the organization first.`
  if (home.status !== 'Activated')
    throw new Refusal(409, 'ORGANIZATION_DEACTIVATED', message, [{ path: 'organizationId', message }])
  return home
}

const invalid = (path: string, message: string) => new Refusal(400, 'INVALID', message, [{ path, message }])

/** P02: looks up the organization first, so that a foreign one is not found whatever else is wrong. */
async function getRole(db: Db, viewer: Viewer, roleId: string, organizationId: string): Promise<RoleName> {
  const home = await getOrganizationRow(db, viewer, organizationId)
  const role = roleOfId(roleId)
  if (!role) throw notFound()
  refuseAbove(viewer, role)
  // These two roles see every organization.
  const isProviderRole = role === 'super_admin' || role === 'sys_admin'
  if (isProviderRole && home.id !== providerOrganizationId)
    throw invalid('roleId', "This role is only available in the provider's own organization.")
  return role
}
