import { registration } from '@dmp/contract'
import { mayFollow, registrationStatusIds, type Registration } from '@dmp/contract/registration'
import type { SaasName } from '@dmp/contract/organization'
import { sql } from 'kysely'
import { refuseIfChanged } from '../../db/changeConflict.ts'
import { isExport } from '../../db/listing.ts'
import type { Write } from '../../db/write.ts'
import type { Context, PublicContext } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { answerAtFixedSteps } from '../../core/fixedSteps.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { makeTemporaryPassword, type Temporary } from '../account/temporaryPassword.ts'
import { addCustomer } from '../organization/addCustomer.ts'
import { alreadyKnownMail, approvedMail, rejectedMail } from './registration.mails.ts'
import {
  addRegistration,
  countPendingRegistrations,
  decide,
  findSameName,
  getRegistrationRow,
  isAddressKnown,
  listRegistrations,
  lockRegistration,
  toRegistration,
  type RegistrationRow,
} from './registration.repository.ts'

type All = Handlers<typeof registration>

export const registrationHandlers = (deps: Dependencies): All => ({
  ...readHandlers(deps),
  ...decisionHandlers(deps),

  add: (draft, context) =>
    answerAtFixedSteps(async () => {
      const id = await deps.write(context, async ({ trx, audit }) => {
        const addedId = await addRegistration(trx, { ...draft, language: context.request.language }, new Date())
        await audit({
          event: 'RegistrationAdded',
          organizationId: null,
          outcome: addedId === undefined ? 'refused' : 'success',
          subject: addedId === undefined ? { reason: 'address known' } : { registrationId: addedId },
        })
        return addedId
      })
      // In the background, since sending a mail takes longer than a step of the fixed answer time.
      if (id === undefined) deps.background(mailAddressOwner(deps, context, draft.email))
      return null
    }),

  // P07: one sentence for taken, pending and blocked addresses.
  emailAvailable: async ({ email }) =>
    (await isAddressKnown(deps.db, email))
      ? { available: false, message: 'This email cannot be used for a registration.' }
      : { available: true, message: '' },
})

const readHandlers = ({ db, replicas, write }: Dependencies): Pick<All, 'list' | 'countPending' | 'get'> => ({
  list: async (input, context) => {
    const listing = await replicas.read(registration.list, context.viewer, (copy) =>
      listRegistrations(copy, context.viewer, input),
    )
    if (isExport(input))
      await write(context, ({ audit }) =>
        audit({ event: 'RegistrationsExported', subject: { rows: listing.rows.length } }),
      )
    return listing
  },

  countPending: (_, { viewer }) => countPendingRegistrations(db, viewer),

  get: ({ id }, context) =>
    write(context, async ({ trx, audit }) => {
      const row = await getRegistrationRow(trx, context.viewer, id)
      await audit({ event: 'RegistrationViewed', subject: { registrationId: row.id } })
      const sameNameId = await findSameName(trx, row)
      return { ...toRegistration(row), ...(sameNameId !== null && { sameNameId }) }
    }),
})

const decisionHandlers = (deps: Dependencies): Pick<All, 'approve' | 'reject'> => ({
  approve: async ({ id, saas, seenUpdatedDate }, context) => {
    // Hashing the password is slow, so a decided registration is refused before it.
    refuseDecided(await getRegistrationRow(deps.db, context.viewer, id), 'Approved')
    const temporary = await makeTemporaryPassword(deps)
    return deps.write(context, (write) =>
      approve(deps, write, context, { id, saas: toSaas(saas), seenUpdatedDate, temporary }),
    )
  },

  reject: ({ id, statusId, comment, seenUpdatedDate }, context) =>
    deps.write(context, async ({ trx, audit, afterwards }) => {
      const previousRegistration = await lockRegistration(trx, context.viewer, id)
      // 8.07 fixes the sentence for a status that is not in the list.
      if (statusId.toLowerCase() !== registrationStatusIds.Rejected)
        throw new Refusal(404, 'NOT_FOUND', 'Could not find status with given id', [
          { path: 'statusId', message: 'Could not find status with given id' },
        ])
      refuseDecided(previousRegistration, 'Rejected')
      refuseIfDecidedMeanwhile(previousRegistration, 'Rejected', seenUpdatedDate)
      const rejectedRegistration = await decide(trx, previousRegistration, {
        status: 'Rejected',
        by: context.viewer.fullName,
        comment,
      })
      await deps.mail.queue(
        trx,
        rejectedMail(toApplicant(previousRegistration), previousRegistration.organization_name, comment),
      )
      afterwards(deps.mail.deliver)
      await audit({ event: 'RegistrationRejected', subject: { registrationId: previousRegistration.id } })
      return toRegistration(rejectedRegistration)
    }),
})

const toApplicant = (row: RegistrationRow) => ({
  email: row.email,
  fullName: `${row.civility} ${row.first_name} ${row.last_name}`,
  language: row.language ?? undefined,
})

/** 4.05: New can become Approved or Rejected, Rejected can become Approved, Approved stays. */
function refuseDecided(
  { status, organization_name: name }: RegistrationRow,
  nextStatus: 'Approved' | 'Rejected',
): void {
  if (mayFollow(status, nextStatus)) return
  throw new Refusal(409, 'DECIDED', `The registration of ${name} has already been ${status.toLowerCase()}.`)
}

/** Keeps an administrator who still sees a pending registration from overruling another's decision. */
function refuseIfDecidedMeanwhile(
  previousRegistration: RegistrationRow,
  nextStatus: 'Approved' | 'Rejected',
  seenUpdatedDate: string | undefined,
): void {
  refuseIfChanged('this registration', previousRegistration.updated_date, seenUpdatedDate, () => [
    { path: 'statusId', now: previousRegistration.status, wanted: nextStatus },
  ])
}

/** The contract lets only their names pass. */
const toSaas = (names: string | undefined): SaasName[] => (names === undefined ? [] : (names.split(',') as SaasName[]))

interface Approval {
  readonly id: string
  readonly saas: readonly SaasName[]
  readonly seenUpdatedDate: string | undefined
  readonly temporary: Temporary
}

/** Adds the organization with its datastore and its first administrator and queues the mail, all or nothing. */
async function approve(
  { mail, settings, publicUrl }: Dependencies,
  { trx, audit, afterwards }: Write,
  { viewer }: Context,
  { id, saas, seenUpdatedDate, temporary }: Approval,
): Promise<Registration> {
  const previousRegistration = await lockRegistration(trx, viewer, id)
  refuseDecided(previousRegistration, 'Approved')
  refuseIfDecidedMeanwhile(previousRegistration, 'Approved', seenUpdatedDate)
  const by = viewer.fullName
  const { organizationId, userId } = await addCustomer(trx, {
    name: previousRegistration.organization_name,
    taken: ['organizationName', 'Reject the registration with a comment that asks for another name.'],
    regionId: previousRegistration.region_id,
    withDatastore: true,
    saas,
    administrator: {
      civility: previousRegistration.civility,
      firstName: previousRegistration.first_name,
      lastName: previousRegistration.last_name,
      email: previousRegistration.email,
      mobile: previousRegistration.mobile,
      landline: previousRegistration.landline,
      fax: previousRegistration.fax,
    },
    temporary: temporary.columns,
    by,
  })
  const approvedRegistration = await decide(trx, previousRegistration, {
    status: 'Approved',
    by,
    comment: null,
    organizationId,
    userId,
  })
  await mail.queue(
    trx,
    approvedMail(toApplicant(previousRegistration), previousRegistration.organization_name, {
      password: temporary.password,
      hours: settings.temporaryPasswordHours,
      url: publicUrl(),
      saas,
    }),
  )
  afterwards(mail.deliver)
  await audit({
    event: 'RegistrationApproved',
    subject: { registrationId: previousRegistration.id, organizationId, userId, saas },
  })
  return toRegistration(approvedRegistration)
}

/** Tells the owner of a known address about the form, at most once a day however often a stranger sends it. */
async function mailAddressOwner(
  { write, mail, publicUrl }: Dependencies,
  context: PublicContext,
  email: string,
): Promise<void> {
  await write(context, async ({ trx, audit, afterwards }) => {
    const letter = alreadyKnownMail(email, publicUrl(), context.request.language)
    // Simultaneous forms wait here for each other; otherwise none of them would find the mail of another.
    await sql`select pg_advisory_xact_lock(hashtext(${letter.subject}), hashtext(lower(${email}::text)))`.execute(trx)
    const recentMail = await trx
      .selectFrom('mails')
      .select('id')
      .where(sql<boolean>`lower(recipient) = lower(${email}::text)`)
      .where(sql<string>`coalesce(about, subject)`, '=', letter.subject)
      .where('created_date', '>', sql<Date>`now() - interval '1 day'`)
      .executeTakeFirst()
    if (!recentMail) {
      await mail.queue(trx, letter)
      afterwards(mail.deliver)
    }
    await audit({
      event: 'RegistrationAdded',
      organizationId: null,
      outcome: 'refused',
      subject: { reason: 'address known', mailed: !recentMail },
    })
  })
}
