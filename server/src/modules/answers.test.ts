import { account, audit, businessUser, complaint, organization, webhook, type Endpoint } from '@dmp/contract'
import { calls, modules } from '@dmp/contract/calls'
import { defaultAlertRules } from '@dmp/contract/organization'
import { registrationStatusIds } from '@dmp/contract/registration'
import { asImage, aPicture } from '../testing/pictures.ts'
import { listKeys } from '../testing/request.ts'
import type { SignedIn, TestServer } from '../testing/server.ts'
import { demoPassword } from './account/demoAccounts.ts'
import { judgeAccess } from './audit/alerts/alertRounds.ts'
import { ownInput } from './callInputsInTests.ts'
import { startWithCustomers, type Customer } from './otherPlacesInTests.ts'
import { addDestination, addThings, destination, type Things } from './ownThingsInTests.ts'
import { register } from './registration/registrationInTests.ts'
import { startReceiver, type Receiver } from './webhook/webhookInTests.ts'

/**
 * Where the contract says one thing at two calls, both say the same: a change answers what the read that it renews
 * answers, and a row of a list what the detail of its thing answers. Pages believe either.
 */

let server: TestServer
let receiver: Receiver
let root: SignedIn
let customer: Customer
let things: Things
beforeAll(async () => {
  receiver = await startReceiver()
  ;({ server, south: customer } = await startWithCustomers({ DMP_WEBHOOK_HOSTS: '127.0.0.1', DMP_LOG_LEVEL: 'warn' }))
  root = await server.signIn('super_admin')
  await addDestination(root)
  things = await addThings({ server, root, receiver, customer })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const renewing = calls.filter(({ definition }) => definition.renews)

interface Special {
  /** Where it is not the customer's administrator. */
  readonly who?: SignedIn
  readonly input?: Readonly<Record<string, unknown>>
}

const other = (current: string, choices: readonly { id: string; name: string; isActive: boolean }[]): string =>
  choices.find(({ name, isActive }) => isActive && name !== current)?.id ?? ''
const theComplaint = async () => (await root.call(complaint.get, { id: things['complaint'] ?? '' })).data

/** Values of their own, so that none can stand in for another. */
const contact = {
  civility: 'Prof',
  firstName: 'Hedy',
  lastName: 'Kiesler',
  mobile: '+49 170 5550100',
  landline: '+49 30 5550101',
  fax: '+49 30 5550102',
}

/** What a call needs that a customer's administrator does not have, or has only now. */
const special: Readonly<Record<string, () => Special | Promise<Special>>> = {
  'POST /account/signOutSession/:id': async () => {
    await server.signIn('admin@south.example')
    const { data } = await customer.who.call(account.listSessions, {})
    return { input: { id: data.find(({ isCurrent }) => !isCurrent)?.id } }
  },
  'PUT /account/updatePreferences': () => ({ input: { mfaEnabled: true, password: demoPassword } }),
  'PUT /businessUser/activateUser/:id': async () => {
    await root.call(businessUser.deactivateUser, { id: things['user'] ?? '' })
    return {}
  },
  'DELETE /Organization/removeLogo/:id': async () => {
    const imageData = asImage(await aPicture().png().toBuffer(), 'image/png')
    await root.call(organization.setLogo, { id: customer.organizationId, imageData })
    return {}
  },
  'PUT /businessUser/update/:id': () => ({ input: contact }),
  'PUT /businessUser/update': () => ({ input: contact }),
  'PUT /Webhook/resume/:id': async () => {
    await customer.who.call(webhook.pause, { id: things['webhook'] ?? '' })
    return {}
  },
  'POST /Webhook/replaySince/:id': async () => {
    await customer.who.call(webhook.resume, { id: things['webhook'] ?? '' })
    return {}
  },
  'PUT /Audit/acknowledgeAlert/:id': async () => ({ input: { id: await makeAlert() } }),
  'PUT /Complaint/assign/:id': async () => {
    const { data } = await root.call(complaint.listAssignees, {})
    return { who: root, input: { assigneeId: data[0]?.id, dueDate: '2031-02-03' } }
  },
  'PUT /Complaint/updateStatus/:id': async () => {
    const { data } = await root.call(complaint.listStatuses, {})
    return { who: root, input: { statusId: other((await theComplaint()).currentStatus, data) } }
  },
  'PUT /Complaint/updateSeverity/:id': async () => {
    const { data } = await root.call(complaint.listSeverities, {})
    return { who: root, input: { severityId: other((await theComplaint()).severity ?? '', data) } }
  },
  'POST /Organization/assignLicenses/:id': async () => {
    const { data } = await root.call(organization.get, { id: customer.organizationId })
    const [first] = data.licenses ?? []
    const licenses = [{ licenseId: first?.licenseId, isActive: !first?.isActive, isAutomaticAnalysis: false }]
    return { who: root, input: { licenses } }
  },
  'POST /Organization/createDatastore': async () => ({ who: root, input: { id: await addWithoutDatastore() } }),
  'POST /Organization/startExport/:id': () => ({ who: root, input: { password: demoPassword } }),
  'PUT /Organization/endExport/:id': async () => {
    await root.call(organization.startExport, { id: customer.organizationId, password: demoPassword })
    const { data } = await root.call(organization.listExports, { id: customer.organizationId })
    return { who: root, input: { exportId: data[0]?.id } }
  },
  'POST /Organization/startImport/:id': () => ({ who: root, input: { bytes: 10, password: demoPassword } }),
  'PUT /Organization/endImport/:id': async () => {
    await root.call(organization.startImport, { id: customer.organizationId, bytes: 10, password: demoPassword })
    const { data } = await root.call(organization.listImports, { id: customer.organizationId })
    return { who: root, input: { importId: data[0]?.id } }
  },
  'PUT /Registration/approve/:id': async () => ({ who: root, input: { id: (await register(server, root)).id } }),
  'PUT /Registration/reject/:id': async () => ({
    who: root,
    input: { id: (await register(server, root)).id, statusId: registrationStatusIds.Rejected },
  }),
  'PUT /Organization/update/:id': () => ({ who: root, input: { updatedOrganizationName: 'South-Clinic-Anew' } }),
  'PUT /Organization/deactivate/:id': async () => ({ who: root, input: { id: await destinationId() } }),
  'PUT /Organization/activate/:id': async () => {
    const id = await destinationId()
    await root.call(organization.deactivate, { id })
    return { who: root, input: { id } }
  },
}

/** What they start goes on by itself, between the answer and the read. */
const goingOn: Readonly<Record<string, readonly string[]>> = {
  'POST /Audit/check': ['state', 'rows', 'chains', 'finishedAt'],
  'POST /Organization/startExport/:id': ['state', 'objects', 'objectsDone', 'readyDate'],
}

const without = (keys: readonly string[] = [], value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => (keys.includes(key) ? 'goes on' : inner))

const destinationId = async (): Promise<string> =>
  (await root.call(organization.list, { search: destination })).data[0]?.id ?? ''

async function addWithoutDatastore(): Promise<string> {
  const person = { civility: 'Ms', firstName: 'Nora', lastName: 'New', email: 'admin@new.example' }
  const { data } = await root.call(organization.add, { name: 'New-Clinic', withDatastore: false, ...person })
  return data.id
}

async function makeAlert(): Promise<string> {
  const { organizationId, who } = customer
  const rules = { ...defaultAlertRules, timeZone: 'UTC', patients: 5 }
  expect((await who.call(organization.setAlertRules, { id: organizationId, ...rules })).status).toBe(200)
  await judgeAccess(server.deps)
  const context = { viewer: { userId: things['user'] ?? '', organizationId }, request: { id: 'r', ip: '10.0.0.1' } }
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const subject = { seriesUID: `1.73.${number}.1`, studyUID: `1.73.${number}` }
    await server.deps.write(context, ({ audit: add }) => add({ event: 'ScanViewed', organizationId, subject }))
  }
  await judgeAccess(server.deps)
  return (await who.call(audit.listAlerts, {})).data[0]?.id ?? ''
}

describe('a change answers what was given, and what its read answers afterwards [9.03]', () => {
  it.each(renewing.map((call) => [call.name, call] as const))('%s', async (name, call) => {
    const { renews } = call.definition
    const { who = customer.who, input: its = {} } = (await special[name]?.()) ?? {}
    const image = asImage(await aPicture().png().toBuffer(), 'image/png')
    const input = { ...ownInput(call, things, { url: receiver.url, imageData: image }), ...its }
    const changed = await who.call(call, input)
    expect([name, input, changed.status, changed.message, changed.fields]).toEqual([
      name,
      input,
      200,
      undefined,
      undefined,
    ])
    const { params, query } = (renews as Endpoint).definition
    const keys = [params, query].flatMap(listKeys)
    const asked = Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)))
    const read = await who.call(renews as Endpoint, asked)
    const [answer, later] = [changed.data, read.data].map((data) => without(goingOn[name], data))
    expect([asked, read.status, answer]).toEqual([asked, 200, later])
    const answered = Object.entries((changed.data ?? {}) as Record<string, unknown>)
    // Lists are completed and normalized.
    const given = answered.filter(([key, value]) => Object.hasOwn(input, key) && typeof value !== 'object')
    expect(Object.fromEntries(given)).toEqual(
      Object.fromEntries(given.map(([key]) => [key, (input as Record<string, unknown>)[key]])),
    )
  })
})

const pairs = Object.entries(modules).flatMap(([name, module]) => {
  const { list, get } = module as { readonly list?: Endpoint; readonly get?: Endpoint }
  return list && get && listKeys(get.definition.query).includes('id') ? [[name, list, get] as const] : []
})

describe('a row of a list says what the detail says', () => {
  it.each(pairs)('%s [9.03]', async (_name, list, get) => {
    await register(server, root)
    const { data: rows } = await root.call(list, {})
    expect(rows).not.toEqual([])
    for (const row of rows as unknown as readonly Record<string, unknown>[]) {
      const detail = (await root.call(get, { id: row['id'] })).data as unknown as Record<string, unknown>
      const shared = Object.keys(row).filter((key) => Object.hasOwn(detail, key))
      expect(shared.length).toBeGreaterThan(1)
      const of = (whole: Record<string, unknown>) => Object.fromEntries(shared.map((key) => [key, whole[key]]))
      expect(of(row)).toEqual(of(detail))
    }
  })
})
