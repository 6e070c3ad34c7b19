import { businessUser, type Activation, type ProfileDraft, type User } from '@dmp/contract'
import { activationMayFollow } from '@dmp/contract/user'
import type { AuditEntry } from '../../db/audit.ts'
import { refuseIfChanged, type Conflict } from '../../db/changeConflict.ts'
import { isExport } from '../../db/listing.ts'
import type { Write } from '../../db/write.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endSessions } from '../../identity/sessions.ts'
import { fullName, toUser } from '../../identity/user.ts'
import { isNotAbove, roles } from '../../identity/roles.ts'
import { mailingHandlers, type MailingCall } from './businessUser.mailing.ts'
import {
  lockSuperAdmins,
  getUserRow,
  isEmailTaken,
  listUsers,
  lockUser,
  setContact,
  setStatus,
  type UserRow,
} from './businessUser.repository.ts'
import { refuseAbove } from './businessUser.rules.ts'

type All = Handlers<typeof businessUser>

export const businessUserHandlers = (deps: Dependencies): All => ({
  ...readHandlers(deps),
  ...changeHandlers(deps),
  ...mailingHandlers(deps),
})

type ReadCall = 'list' | 'get' | 'listAddUserRoles' | 'emailAvailable'

const readHandlers = ({ db, replicas, write }: Dependencies): Pick<All, ReadCall> => ({
  list: async (input, context) => {
    const listing = await replicas.read(businessUser.list, context.viewer, (copy) =>
      listUsers(copy, context.viewer, input),
    )
    if (isExport(input))
      await write(context, ({ audit }) => audit({ event: 'UsersExported', subject: { rows: listing.rows.length } }))
    return listing
  },

  get: ({ id }, context) =>
    write(context, async ({ trx, audit }) => {
      const row = await getUserRow(trx, context.viewer, id)
      await audit(toAuditEntry(row, 'UserViewed'))
      return toUser(row)
    }),

  // 6.08: a user cannot give a role above their own.
  listAddUserRoles: async (_input, { viewer }) =>
    roles.filter(({ name }) => isNotAbove(name, viewer.role)).map(({ id, displayName }) => ({ id, displayName })),

  emailAvailable: async ({ email }) =>
    (await isEmailTaken(db, email))
      ? { available: false, message: 'This email is already in use.' }
      : { available: true, message: '' },
})

const changeHandlers = (deps: Dependencies): Omit<All, ReadCall | MailingCall> => ({
  updateProfile: ({ seenUpdatedDate, ...draft }, context) =>
    deps.write(context, async (write) => {
      const row = await changeContact(write, context, context.viewer.userId, draft, seenUpdatedDate)
      await write.audit(toAuditEntry(row, 'ProfileChanged'))
      return toUser(row, { withPolicy: true })
    }),

  update: ({ id, seenUpdatedDate, ...draft }, context) =>
    deps.write(context, async (write) => {
      const row = await changeContact(write, context, id, draft, seenUpdatedDate)
      await write.audit(toAuditEntry(row, 'UserChanged'))
      return toUser(row)
    }),

  activateUser: ({ id }, context) => changeStatus(deps, context, id, 'Activated'),
  deactivateUser: ({ id }, context) => changeStatus(deps, context, id, 'Deactivated'),
})

const toAuditEntry = (
  row: UserRow,
  event: AuditEntry['event'],
  more: Readonly<Record<string, unknown>> = {},
): AuditEntry => ({
  event,
  organizationId: row.organization_id,
  subject: { userId: row.id, ...more },
})

async function changeContact(
  { trx, announce }: Write,
  { viewer }: Context,
  id: string,
  draft: ProfileDraft,
  seenUpdatedDate: string | undefined,
): Promise<UserRow> {
  const previousUser = await lockUser(trx, viewer, id)
  refuseAbove(viewer, previousUser.role)
  refuseIfChanged(
    previousUser.id === viewer.userId ? 'your profile' : 'this user',
    previousUser.updated_date,
    seenUpdatedDate,
    () => listConflicts(previousUser, draft),
  )
  await announce({ kind: 'viewersChanged', userIds: [previousUser.id] })
  return setContact(trx, previousUser, draft)
}

const listConflicts = (row: UserRow, draft: ProfileDraft): Conflict[] => [
  { path: 'civility', now: row.civility, wanted: draft.civility },
  { path: 'firstName', now: row.first_name, wanted: draft.firstName },
  { path: 'lastName', now: row.last_name, wanted: draft.lastName },
  { path: 'mobile', now: row.mobile, wanted: draft.mobile },
  { path: 'landline', now: row.landline, wanted: draft.landline },
  { path: 'fax', now: row.fax, wanted: draft.fax },
]

/** 4.03: refuses a user who already has the status. Deactivating ends every session of the user at once. */
async function changeStatus({ write }: Dependencies, context: Context, id: string, status: Activation): Promise<User> {
  const { viewer } = context
  return write(context, async (change) => {
    const { trx, audit, announce } = change
    const superAdminCount = await lockSuperAdmins(trx)
    const previousUser = await lockUser(trx, viewer, id)
    refuseAbove(viewer, previousUser.role)
    if (!activationMayFollow(previousUser.status, status))
      throw new Refusal(409, 'UNCHANGED', `${fullName(previousUser)} is already ${status.toLowerCase()}.`)
    if (status === 'Deactivated') refuseDeactivating(previousUser, viewer.userId, superAdminCount)
    const changedUser = await setStatus(trx, previousUser, status, viewer.fullName)
    await announce({ kind: 'viewersChanged', userIds: [previousUser.id] })
    if (status === 'Deactivated') await endSessions(change, { userIds: [previousUser.id] }, 'deactivated')
    await audit(toAuditEntry(previousUser, status === 'Activated' ? 'UserActivated' : 'UserDeactivated'))
    return toUser(changedUser)
  })
}

/** Without this no super administrator could sign in any more. */
function refuseDeactivating(row: UserRow, viewerId: string, superAdminCount: number): void {
  if (row.id === viewerId)
    throw new Refusal(409, 'OWN_ACCOUNT', 'You cannot deactivate your own account. Ask another administrator to do it.')
  if (row.role === 'super_admin' && superAdminCount <= 1)
    throw new Refusal(
      409,
      'LAST_SUPER_ADMIN',
      'The last Super Administrator cannot be deactivated. Add or activate another one first.',
    )
}
