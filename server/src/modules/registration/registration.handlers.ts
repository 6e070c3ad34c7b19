import type { registration } from '@dmp/contract'
import { mayFollow, registrationStatusIds, type Registration } from '@dmp/contract/registration'
import { sql } from 'kysely'
import { nextUpdatedDate, refuseIfChanged } from '../../db/optimisticLock.ts'
import { isExport } from '../../db/listing.ts'
import { refuseUniqueViolation } from '../../db/uniqueViolation.ts'
import type { Write } from '../../db/write.ts'
import type { Context, PublicContext } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { answerAtFixedSteps } from '../../core/constantTime.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { makeTemporaryPassword, type Temporary } from '../account/temporaryPassword.ts'
import { addUser } from '../businessUser/businessUser.repository.ts'
import { emailTaken } from '../businessUser/businessUser.rules.ts'
import { nameTaken } from '../organization/organization.rules.ts'
import { addOrganization } from '../organization/organization.repository.ts'
import { alreadyKnownMail, approvedMail, rejectedMail } from './registration.mails.ts'
import {
  addRegistration,
  decide,
  getRegistrationRow,
  isAddressKnown,
  listRegistrations,
  lockRegistration,
  registrationOf,
  type RegistrationRow,
} from './registration.repository.ts'

type All = Handlers<typeof registration>

export const registrationHandlers = (deps: Dependencies): All => ({
  ...reading(deps),
  ...deciding(deps),

  add: (draft, context) =>
    answerAtFixedSteps(async () => {
      const id = await deps.write(context, async ({ trx, audit }) => {
        const added = await addRegistration(trx, draft, new Date())
        await audit({
          event: 'RegistrationAdded',
          organizationId: null,
          outcome: added === undefined ? 'refused' : 'success',
          subject: added === undefined ? { reason: 'address known' } : { registrationId: added },
        })
        return added
      })
      // Not waited for: a mail takes longer than a step.
      if (id === undefined) deps.background(tellOwner(deps, context, draft.email))
      return null
    }),

  // One text for taken, pending and blocked.
  emailAvailable: async ({ email }) =>
    (await isAddressKnown(deps.db, email))
      ? { available: false, message: 'This email cannot be used for a registration.' }
      : { available: true, message: '' },
})

const reading = ({ db, write }: Dependencies): Pick<All, 'list' | 'get'> => ({
  list: async (input, context) => {
    const listing = await listRegistrations(db, context.viewer, input)
    if (isExport(input))
      await write(context, ({ audit }) =>
        audit({ event: 'RegistrationsExported', subject: { rows: listing.rows.length } }),
      )
    return listing
  },

  get: ({ id }, context) =>
    write(context, async ({ trx, audit }) => {
      const row = await getRegistrationRow(trx, context.viewer, id)
      await audit({ event: 'RegistrationViewed', subject: { registrationId: row.id } })
      return registrationOf(row)
    }),
})

const deciding = (deps: Dependencies): Pick<All, 'approve' | 'reject'> => ({
  approve: async ({ id, seenUpdatedDate }, context) => {
    refuseDecided(await getRegistrationRow(deps.db, context.viewer, id), 'Approved')
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, (write) => approve(deps, write, context, { id, seen: seenUpdatedDate, temporary }))
  },

  reject: ({ id, statusId, comment, seenUpdatedDate }, context) =>
    deps.write(context, async ({ trx, audit, afterwards }) => {
      const before = await lockRegistration(trx, context.viewer, id)
      // 8.07
      if (statusId.toLowerCase() !== registrationStatusIds.Rejected)
        throw new Refusal(404, 'NOT_FOUND', 'Could not find status with given id', [
          { path: 'statusId', message: 'Could not find status with given id' },
        ])
      refuseDecided(before, 'Rejected')
      refuseIfDecidedMeanwhile(before, 'Rejected', seenUpdatedDate)
      await decide(trx, before.id, {
        status: 'Rejected',
        by: context.viewer.fullName,
        comment,
        at: nextUpdatedDate(before.updated_date),
      })
      await deps.mail.queue(trx, rejectedMail(applicantOf(before), before.organization_name, comment))
      afterwards(deps.mail.deliver)
      await audit({ event: 'RegistrationRejected', subject: { registrationId: before.id } })
      return registrationOf(await getRegistrationRow(trx, context.viewer, before.id))
    }),
})

const applicantOf = (row: RegistrationRow) => ({
  email: row.email,
  fullName: `${row.civility} ${row.first_name} ${row.last_name}`,
})

/** 4.05: New goes to Approved or Rejected, Rejected to Approved; nothing leaves Approved. */
function refuseDecided({ status, organization_name: name }: RegistrationRow, wanted: 'Approved' | 'Rejected'): void {
  if (mayFollow(status, wanted)) return
  throw new Refusal(409, 'DECIDED', `The registration for ${name} is ${status.toLowerCase()} already.`)
}

/**
 * Somebody who still sees it pending does not approve what somebody else has rejected, with a comment, in the meantime.
 */
function refuseIfDecidedMeanwhile(
  before: RegistrationRow,
  wanted: 'Approved' | 'Rejected',
  seen: string | undefined,
): void {
  refuseIfChanged('this registration', before.updated_date, seen, () => [
    { path: 'statusId', now: before.status, wanted },
  ])
}

interface Approval {
  readonly id: string
  readonly seen: string | undefined
  readonly temporary: Temporary
}

/** Organization, first administrator and mail, all or nothing. */
async function approve(
  { mail, settings, publicUrl }: Dependencies,
  { trx, audit, afterwards }: Write,
  { viewer }: Context,
  { id, seen, temporary }: Approval,
): Promise<Registration> {
  const before = await lockRegistration(trx, viewer, id)
  refuseDecided(before, 'Approved')
  refuseIfDecidedMeanwhile(before, 'Approved', seen)
  const by = viewer.fullName
  const organizationId = await refuseUniqueViolation(
    'organizations_name',
    () => nameTaken('organizationName'),
    addOrganization(trx, { name: before.organization_name, regionId: before.region_id, by }),
  )
  const administrator = addUser(trx, {
    civility: before.civility,
    firstName: before.first_name,
    lastName: before.last_name,
    email: before.email,
    mobile: before.mobile,
    landline: before.landline,
    fax: before.fax,
    organizationId,
    role: 'admin',
    temporary: temporary.columns,
    by,
  })
  const userId = await refuseUniqueViolation('users_email', emailTaken, administrator)
  await decide(trx, before.id, {
    status: 'Approved',
    by,
    comment: null,
    at: nextUpdatedDate(before.updated_date),
    organizationId,
    userId,
  })
  await mail.queue(
    trx,
    approvedMail(applicantOf(before), before.organization_name, {
      password: temporary.password,
      hours: settings.temporaryPasswordHours,
      url: publicUrl(),
    }),
  )
  afterwards(mail.deliver)
  await audit({ event: 'RegistrationApproved', subject: { registrationId: before.id, organizationId, userId } })
  return registrationOf(await getRegistrationRow(trx, viewer, before.id))
}

/** At most one mail a day, however often a stranger fills in the form. */
async function tellOwner(
  { write, mail, publicUrl }: Dependencies,
  context: PublicContext,
  email: string,
): Promise<void> {
  await write(context, async ({ trx, audit, afterwards }) => {
    const letter = alreadyKnownMail(email, publicUrl())
    // Forms sent at the same moment wait for one another here, or each of them would find no mail yet.
    await sql`select pg_advisory_xact_lock(hashtext(${letter.subject}), hashtext(lower(${email}::text)))`.execute(trx)
    const recent = await trx
      .selectFrom('mails')
      .select('id')
      .where(sql<boolean>`lower(recipient) = lower(${email}::text)`)
      .where('subject', '=', letter.subject)
      .where('created_date', '>', sql<Date>`now() - interval '1 day'`)
      .executeTakeFirst()
    if (!recent) {
      await mail.queue(trx, letter)
      afterwards(mail.deliver)
    }
    await audit({
      event: 'RegistrationAdded',
      organizationId: null,
      outcome: 'refused',
      subject: { reason: 'address known', mailed: !recent },
    })
  })
}
