import { registration } from '@dmp/contract'
import { registrationStatusIds } from '@dmp/contract/registration'
import type { SignedIn, TestServer } from '../../testing/server.ts'

let drafts = 0
/** A form that was not sent yet. */
export function createDraft(overrides: Record<string, unknown> = {}) {
  drafts += 1
  return {
    civility: 'Dr',
    firstName: 'Ada',
    lastName: 'Byron',
    organizationName: `Clinic-${drafts}`,
    email: `ada${drafts}@clinic.example`,
    // Values of their own, so that none can stand in for another.
    mobile: '+49 170 5550100',
    landline: '+49 30 5550101',
    fax: '+49 30 5550102',
    ...overrides,
  }
}

/** Sends a form and returns the registration as the provider's staff see it. */
export async function register(server: TestServer, sys: SignedIn, overrides: Record<string, unknown> = {}) {
  const draft = createDraft(overrides)
  expect((await server.call(registration.add, draft)).status).toBe(200)
  const [registered] = (await sys.call(registration.list, { search: draft.email })).data
  if (!registered) throw new Error(`${draft.email} was not stored`)
  return registered
}

export const reject = (
  viewer: SignedIn,
  id: string,
  comment = 'Not now.',
  statusId: string = registrationStatusIds.Rejected,
) => viewer.call(registration.reject, { id, statusId, comment })
