import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import {
  ChosenId,
  Comment,
  Email,
  Instant,
  Ticked,
  Uuid,
  atMost,
  maybe,
  newOrganizationName,
  seenUpdatedDate,
  exact,
} from './fields.ts'
import { Wait, WaitCounts } from './waits.ts'
import { saasNames } from './organizationEntities.ts'
import { pageQuery } from './paging.ts'
import { Availability, contactEntries } from './user.ts'

const Text = v.string('Text.')

/** 4.05: the statuses of a registration. */
export const registrationStatusNames = ['New', 'Approved', 'Rejected'] as const
export const RegistrationStatusName = v.picklist(registrationStatusNames, 'This is not a registration status.')
export type RegistrationStatusName = v.InferOutput<typeof RegistrationStatusName>

/** 4.05: a new registration is approved or rejected; a rejected one can still be approved; an approval is final. */
export function mayFollow(current: RegistrationStatusName, next: 'Approved' | 'Rejected'): boolean {
  return current === 'New' || (current === 'Rejected' && next === 'Approved')
}

/** The specification names no call that lists these, so their ids are part of the contract (`reject` sends one). */
export const registrationStatusIds: Readonly<Record<RegistrationStatusName, string>> = {
  New: '00000000-0000-4000-8000-000000000501',
  Approved: '00000000-0000-4000-8000-000000000502',
  Rejected: '00000000-0000-4000-8000-000000000503',
}

/** 3.11: `registrationStatus` holds since when, by whom and why. */
export const Registration = v.object({
  id: Uuid,
  createdDate: Instant,
  updatedDate: Instant,
  region: maybe(Text),
  organizationName: Text,
  /** What an approval made of it. */
  organizationId: v.optional(v.nullable(Uuid)),
  /**
   * The organization that has the name already, so that no approval is possible; only `get` says it, and only
   * where there is one.
   */
  sameNameId: v.optional(v.nullable(Uuid)),
  status: RegistrationStatusName,
  registrationStatus: v.object({
    status: RegistrationStatusName,
    createdDate: Instant,
    createdByUser: maybe(Text),
    comment: maybe(Text),
  }),
  contactInfo: v.object({
    civility: Text,
    firstName: Text,
    lastName: Text,
    email: Text,
    mobile: maybe(Text),
    landline: maybe(Text),
    fax: maybe(Text),
  }),
})
export type Registration = v.InferOutput<typeof Registration>

/** 3.11 create payload */
export const RegistrationDraft = exact({
  ...contactEntries,
  organizationName: newOrganizationName(() => 'Please enter an organization name.'),
  email: Email,
})
export type RegistrationDraft = v.InferOutput<typeof RegistrationDraft>

/** 5.16: the public form asks for the terms as well. */
export const RegistrationForm = exact({ ...RegistrationDraft.entries, terms: Ticked() })
export type RegistrationForm = v.InferOutput<typeof RegistrationForm>

/** 4.05, 7.37: a rejection requires a comment. */
export const Rejection = exact({ statusId: ChosenId, comment: Comment })
export type Rejection = v.InferOutput<typeof Rejection>

const byId = exact({ id: Uuid })
const sortable = ['status', 'createdDate', 'firstName', 'lastName', 'email', 'organizationName'] as const

/** 7.37, 2.55: the list of registrations. */
export const list = endpoint({
  method: 'GET',
  path: '/Registration/list',
  summary: 'Registrations of new customers, of one status where it is given.',
  needs: may('Registration', 'List'),
  query: exact({
    ...pageQuery(sortable),
    status: v.optional(RegistrationStatusName),
    /** Only pending ones that came so long ago. */
    wait: v.optional(Wait),
  }),
  answer: v.array(Registration, 'A list.'),
  sortable,
})
/** Not in the specification: the dashboard shows for how long registrations have been waiting. */
export const countPending = endpoint({
  method: 'GET',
  path: '/Registration/countPending',
  summary: 'How many registrations are pending, by age.',
  needs: may('Registration', 'List'),
  answer: WaitCounts,
})
/** 7.37: one registration by id. */
export const get = endpoint({
  method: 'GET',
  path: '/Registration/get',
  summary: 'One registration.',
  needs: may('Registration', 'Get'),
  query: byId,
  answer: Registration,
})
function areSaasNames(text: string): boolean {
  const names = text.split(',')
  return new Set(names).size === names.length && names.every((name) => saasNames.some((known) => known === name))
}

/**
 * 7.37: creates the organization with a datastore and its first administrator, who gets a temporary password by mail.
 * `saas` names the apps that are licensed at once, with commas between them.
 */
export const approve = endpoint({
  method: 'PUT',
  path: '/Registration/approve/:id',
  summary: 'Approve a registration: creates the organization, its datastore and its first administrator.',
  needs: may('Registration', 'Approve'),
  params: byId,
  query: exact({
    saas: v.optional(
      v.pipe(
        Text,
        v.maxLength(64, () => atMost(64)),
        v.check(areSaasNames, 'Name each licensed add-on app once.'),
      ),
    ),
    seenUpdatedDate,
  }),
  answer: Registration,
  renews: get,
})
/** 7.37: returns the rejected registration. */
export const reject = endpoint({
  method: 'PUT',
  path: '/Registration/reject/:id',
  summary: 'Reject a registration with a comment.',
  needs: may('Registration', 'Reject'),
  params: byId,
  body: exact({ ...Rejection.entries, seenUpdatedDate }),
  answer: Registration,
  renews: get,
})
/** 7.37: public. The answer does not reveal whether the address is known. */
export const add = endpoint({
  method: 'POST',
  path: '/Registration/add',
  summary: 'Register a new customer.',
  needs: 'nothing',
  body: RegistrationDraft,
})
/** Public and rate limited; the answer is the same for taken and pending addresses. */
export const emailAvailable = endpoint({
  method: 'GET',
  path: '/Registration/emailAvailable',
  summary: 'Whether a registration may use this address.',
  needs: 'nothing',
  query: exact({ email: Email }),
  answer: Availability,
})
