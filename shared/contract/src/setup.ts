/** The first run: what an installation and a new customer still need until somebody looks at a picture. */
import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Civility, Email, Instant, Uuid, exact, maybe, newOrganizationName, personName } from './fields.ts'
import { Organization, SaasName } from './organizationEntities.ts'
import { Activation } from './user.ts'

const Text = v.string('Text.')
const Flag = v.boolean('Must be true or false.')
const Count = v.number('A number.')
const byId = exact({ id: Uuid })

/** The form that adds a customer: the organization and its first administrator, who is invited by mail. */
export const OrganizationDraft = exact({
  name: newOrganizationName(() => 'Please enter an organization name.'),
  withDatastore: Flag,
  civility: Civility,
  firstName: personName(() => 'Please enter a first name.'),
  lastName: personName(() => 'Please enter a last name.'),
  email: Email,
})
export type OrganizationDraft = v.InferOutput<typeof OrganizationDraft>

/** Add a customer without a registration; licenses are given by the names of their apps. */
export const add = endpoint({
  method: 'POST',
  path: '/Organization/add',
  summary: 'Add an organization with its first administrator, who gets a temporary password by mail.',
  needs: may('Organization', 'Add'),
  body: exact({
    ...OrganizationDraft.entries,
    saas: v.optional(v.pipe(v.array(SaasName, 'A list.'), v.maxLength(4, 'Too many licenses.')), []),
  }),
  answer: Organization,
})

/** What a customer has of what it needs to work, from the facts of the moment. */
export const Readiness = v.object({
  status: Activation,
  hasDatastore: Flag,
  /** Names of the apps that are licensed and active. */
  saas: v.array(Text, 'A list.'),
  people: Count,
  /** Administrators who have chosen their own password, and could invite others. */
  confirmedAdministrators: Count,
  /**
   * The newest administrator who has not signed in yet, and what became of the mail; `over` when the temporary password
   * in it is not valid any more.
   */
  invitation: maybe(v.object({ email: Text, mail: v.picklist(['sent', 'waiting', 'none', 'over'], 'A state.') })),
  /** Without the sample. */
  scans: Count,
  sample: maybe(v.object({ studyUID: Text, seriesUID: Text })),
  isDismissed: Flag,
})
export type Readiness = v.InferOutput<typeof Readiness>

export const getReadiness = endpoint({
  method: 'GET',
  path: '/Organization/getReadiness',
  summary: 'What an organization still needs before its people can work.',
  needs: may('Organization', 'Get'),
  query: byId,
  answer: Readiness,
})

/** Outcome of a test that was really made, in a sentence. */
export const TestResult = v.object({ isGood: Flag, sentence: Text, date: Instant })
export type TestResult = v.InferOutput<typeof TestResult>

/** What the installation has of what it needs, from the facts of the moment. */
export const Setup = v.object({
  company: v.object({ name: Text, isNamed: Flag, address: Text, isAddressed: Flag }),
  /** `isProven`: scans were stored, mails were sent, also without a test. */
  storage: v.object({ sentence: Text, freeMegabytes: maybe(Count), test: maybe(TestResult), isProven: Flag }),
  mail: v.object({ sentence: Text, test: maybe(TestResult), isProven: Flag }),
  /** Activated administrators of the provider. */
  administrators: Count,
  customers: Count,
  /** The customer that was added first, to go on with. */
  firstCustomer: maybe(v.object({ id: Uuid, name: Text, hasDatastore: Flag, hasPictures: Flag })),
  isDismissed: Flag,
})
export type Setup = v.InferOutput<typeof Setup>

export const getSetup = endpoint({
  method: 'GET',
  path: '/Organization/getSetup',
  summary: 'What this installation still needs before its first customer looks at a picture.',
  needs: may('Organization', 'Add'),
  answer: Setup,
})
export const testStorage = endpoint({
  method: 'POST',
  path: '/Organization/testStorage',
  summary: 'Write a small object to the object store, read it and remove it again.',
  needs: may('Organization', 'Add'),
  answer: TestResult,
})
export const testMail = endpoint({
  method: 'POST',
  path: '/Organization/testMail',
  summary: 'Send a test mail to the viewer, and tell what the mail server answered.',
  needs: may('Organization', 'Add'),
  answer: TestResult,
})
/** Hides the checklist on the dashboards of the organization; the page that shows it stays. */
export const dismissSetup = endpoint({
  method: 'PUT',
  path: '/Organization/dismissSetup/:id',
  summary: 'Hide the set-up checklist of an organization, or show it again.',
  needs: may('Organization', 'Update'),
  params: byId,
  body: exact({ isDismissed: Flag }),
})
