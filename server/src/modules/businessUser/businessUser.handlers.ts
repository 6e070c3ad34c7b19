import type { Activation, ProfileDraft, User, businessUser } from '@dmp/contract'
import { activationMayFollow } from '@dmp/contract/user'
import type { AuditEntry } from '../../db/audit.ts'
import { nextUpdatedDate, refuseIfChanged, type Conflict } from '../../db/optimisticLock.ts'
import { isExport } from '../../db/listing.ts'
import type { Write } from '../../db/write.ts'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { endSessions } from '../../identity/sessions.ts'
import { fullName, toUser } from '../../identity/user.ts'
import { isNotAbove, roles } from '../../identity/roles.ts'
import { mailingHandlers, type Mailing } from './businessUser.mailing.ts'
import {
  countSuperAdmins,
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
  ...reading(deps),
  ...editing(deps),
  ...mailingHandlers(deps),
})

type Reading = 'list' | 'get' | 'listAddUserRoles' | 'emailAvailable'

const reading = ({ db, write }: Dependencies): Pick<All, Reading> => ({
  list: async (input, context) => {
    const listing = await listUsers(db, context.viewer, input)
    if (isExport(input))
      await write(context, ({ audit }) => audit({ event: 'UsersExported', subject: { rows: listing.rows.length } }))
    return listing
  },

  get: ({ id }, context) =>
    write(context, async ({ trx, audit }) => {
      const row = await getUserRow(trx, context.viewer, id)
      await audit(about(row, 'UserViewed'))
      return toUser(row)
    }),

  // 6.08
  listAddUserRoles: async (_input, { viewer }) =>
    roles.filter(({ name }) => isNotAbove(name, viewer.role)).map(({ id, displayName }) => ({ id, displayName })),

  emailAvailable: async ({ email }) =>
    (await isEmailTaken(db, email))
      ? { available: false, message: 'This email is already in use.' }
      : { available: true, message: '' },
})

const editing = (deps: Dependencies): Omit<All, Reading | Mailing> => ({
  updateProfile: ({ seenUpdatedDate, ...draft }, context) =>
    deps.write(context, async (write) => {
      const row = await changeContact(deps, write, context, context.viewer.userId, draft, seenUpdatedDate)
      await write.audit(about(row, 'ProfileChanged'))
      return toUser(row, { withPolicy: true })
    }),

  update: ({ id, seenUpdatedDate, ...draft }, context) =>
    deps.write(context, async (write) => {
      const row = await changeContact(deps, write, context, id, draft, seenUpdatedDate)
      await write.audit(about(row, 'UserChanged'))
      return toUser(row)
    }),

  activateUser: ({ id }, context) => changeStatus(deps, context, id, 'Activated'),
  deactivateUser: ({ id }, context) => changeStatus(deps, context, id, 'Deactivated'),
})

const about = (row: UserRow, event: AuditEntry['event'], more: Readonly<Record<string, unknown>> = {}): AuditEntry => ({
  event,
  organizationId: row.organization_id,
  subject: { userId: row.id, ...more },
})

async function changeContact(
  { bus }: Dependencies,
  { trx, afterwards }: Write,
  { viewer }: Context,
  id: string,
  draft: ProfileDraft,
  seen: string | undefined,
): Promise<UserRow> {
  const before = await lockUser(trx, viewer, id)
  refuseAbove(viewer, before.role)
  refuseIfChanged(before.id === viewer.userId ? 'your profile' : 'this user', before.updated_date, seen, () =>
    clashesOf(before, draft),
  )
  await setContact(trx, before.id, draft, nextUpdatedDate(before.updated_date))
  afterwards(() => bus.publish({ kind: 'viewersChanged', userIds: [before.id] }))
  return getUserRow(trx, viewer, before.id)
}

const clashesOf = (row: UserRow, draft: ProfileDraft): Conflict[] => [
  { path: 'civility', now: row.civility, wanted: draft.civility },
  { path: 'firstName', now: row.first_name, wanted: draft.firstName },
  { path: 'lastName', now: row.last_name, wanted: draft.lastName },
  { path: 'mobile', now: row.mobile, wanted: draft.mobile },
  { path: 'landline', now: row.landline, wanted: draft.landline },
  { path: 'fax', now: row.fax, wanted: draft.fax },
]

/** 4.03: of somebody who is not so already. Deactivating ends every session at once. */
async function changeStatus(
  { write, bus }: Dependencies,
  context: Context,
  id: string,
  status: Activation,
): Promise<User> {
  const { viewer } = context
  return write(context, async (change) => {
    const { trx, audit, afterwards } = change
    const superAdmins = await countSuperAdmins(trx)
    const before = await lockUser(trx, viewer, id)
    refuseAbove(viewer, before.role)
    if (!activationMayFollow(before.status, status))
      throw new Refusal(409, 'UNCHANGED', `${fullName(before)} is ${status.toLowerCase()} already.`)
    if (status === 'Deactivated') refuseDeactivating(before, viewer.userId, superAdmins)
    await setStatus(trx, before.id, status, viewer.fullName, nextUpdatedDate(before.updated_date))
    afterwards(() => bus.publish({ kind: 'viewersChanged', userIds: [before.id] }))
    if (status === 'Deactivated') await endSessions(change, bus, { userIds: [before.id] }, 'deactivated')
    await audit(about(before, status === 'Activated' ? 'UserActivated' : 'UserDeactivated'))
    return toUser(await getUserRow(trx, viewer, before.id))
  })
}

/** Else nobody could ever sign in as one again. */
function refuseDeactivating(row: UserRow, viewerId: string, superAdmins: number): void {
  if (row.id === viewerId) throw new Refusal(409, 'OWN_ACCOUNT', 'You cannot deactivate your own account.')
  if (row.role === 'super_admin' && superAdmins <= 1)
    throw new Refusal(409, 'LAST_SUPER_ADMIN', 'The last Super Administrator cannot be deactivated.')
}
