import { businessUser, complaint, isEndpoint, organization, registration, type Endpoint } from '@dmp/contract'
import {
  anAlertRules,
  complaintSeverities,
  complaintStatuses,
  complaintTypes,
  northClinic,
  southClinic,
} from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { registrationStatusIds } from '@dmp/contract/registration'
import { aPicture, asImage } from '../testing/pictures.ts'
import { listKeys, toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { roleIds } from '../identity/roles.ts'

/** P03 and P16 for each call of these areas that takes a body: no undeclared field, and typed text stays text. */
let server: TestServer
let root: SignedIn
let picture = ''
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  picture = JSON.stringify(asImage(await aPicture().png().toBuffer(), 'image/png'))
})
afterAll(() => server.close())
let addresses = 0
const exportId = southClinic.id
const contact = { civility: 'Ms', firstName: 'Ada', lastName: 'Berg', mobile: '+49 1', landline: null, fax: null }
const createEmail = () => `input${(addresses += 1)}@input.example`
const addUser = async () => {
  const email = createEmail()
  const draft = { ...contact, email, userName: email, organizationId: northClinic.id, roleId: roleIds.staff }
  return (await root.call(businessUser.add, draft)).data.id
}
const addComplaint = async () =>
  (await root.call(complaint.add, { moduleId: moduleIds.Scan, typeId: complaintTypes[0]?.id ?? '', description: 'x' }))
    .data.id
const addRegistration = async () => {
  const address = createEmail()
  await server.call(registration.add, { ...contact, email: address, organizationName: `Input-${addresses}` })
  return (await root.call(registration.list, { search: address })).data[0]?.id ?? ''
}

interface InputCase {
  readonly call: Endpoint
  readonly input: () => Promise<Record<string, unknown>>
  /** Text fields that are stored, and where the answer shows them. */
  readonly textFields?: readonly string[]
  readonly readText?: (data: never, field: string) => unknown
}

const readField = (user: Record<string, unknown>, field: string) => user[field]
const cases: readonly InputCase[] = [
  {
    call: businessUser.add,
    input: async () => {
      const address = createEmail()
      return { ...contact, email: address, userName: address, organizationId: northClinic.id, roleId: roleIds.staff }
    },
    textFields: ['firstName', 'lastName', 'mobile'],
    readText: readField,
  },
  {
    call: businessUser.update,
    input: async () => ({ id: await addUser(), ...contact }),
    textFields: ['firstName', 'lastName', 'fax'],
    readText: readField,
  },
  {
    call: businessUser.updateProfile,
    input: async () => ({ ...contact }),
    textFields: ['firstName', 'lastName', 'landline'],
    readText: readField,
  },
  {
    call: complaint.add,
    input: async () => ({
      moduleId: moduleIds.Scan,
      typeId: complaintTypes[0]?.id,
      description: 'x',
      imageData: picture,
    }),
    textFields: ['description'],
    readText: readField,
  },
  {
    call: complaint.updateStatus,
    input: async () => ({ id: await addComplaint(), statusId: complaintStatuses[1]?.id, comment: 'x' }),
    textFields: ['comment'],
    readText: (data: complaint.Complaint) => data.statusList[0]?.comment,
  },
  { call: complaint.assign, input: async () => ({ id: await addComplaint(), assigneeId: null, dueDate: null }) },
  {
    call: complaint.addMessage,
    input: async () => ({ id: await addComplaint(), text: 'x' }),
    textFields: ['text'],
    readText: (data: complaint.ComplaintCare) => data.messages[0]?.text,
  },
  {
    call: organization.update,
    input: async () => ({ id: southClinic.id, updatedOrganizationName: 'South-Clinic' }),
    textFields: ['updatedOrganizationName'],
    readText: (data: organization.Organization) => data.name,
  },
  {
    call: organization.add,
    input: async () => ({
      name: `Added-${(addresses += 1)}`,
      withDatastore: true,
      civility: 'Ms',
      firstName: 'Ada',
      lastName: 'Berg',
      email: createEmail(),
    }),
    textFields: ['name'],
    readText: (data: organization.Organization) => data.name,
  },
  { call: organization.dismissSetup, input: async () => ({ id: southClinic.id, isDismissed: false }) },
  { call: organization.setAlertRules, input: async () => ({ id: southClinic.id, ...anAlertRules() }) },
  { call: organization.setLogo, input: async () => ({ id: southClinic.id, imageData: JSON.parse(picture) }) },
  { call: organization.assignLicenses, input: async () => ({ id: southClinic.id, licenses: [] }) },
  { call: organization.startExport, input: async () => ({ id: southClinic.id, password: 'x' }) },
  { call: organization.endExport, input: async () => ({ id: southClinic.id, exportId }) },
  { call: organization.startImport, input: async () => ({ id: southClinic.id, bytes: 10, password: 'x' }) },
  { call: organization.endImport, input: async () => ({ id: southClinic.id, importId: exportId }) },
  { call: organization.downloadExport, input: async () => ({ id: southClinic.id, exportId, password: 'x' }) },
  {
    call: registration.reject,
    input: async () => ({ id: await addRegistration(), statusId: registrationStatusIds.Rejected, comment: 'x' }),
    textFields: ['comment'],
    readText: (data: registration.Registration) => data.registrationStatus.comment,
  },
  {
    call: registration.add,
    input: async () => ({ ...contact, email: createEmail(), organizationName: `Input-${addresses}` }),
  },
]

it('has a case for each call with a body', () => {
  const coveredCalls = new Set(cases.map(({ call }) => call.name))
  const calls = [businessUser, complaint, organization, registration].flatMap((module) =>
    Object.values(module).filter(
      (value): value is Endpoint => isEndpoint(value) && value.definition.body !== undefined,
    ),
  )
  expect(calls.map(({ name }) => name).filter((name) => !coveredCalls.has(name))).toEqual([])
})

const undeclared: readonly [string, unknown][] = [
  ['status', 'Deactivated'],
  ['role', 'super_admin'],
  ['roleName', 'super_admin'],
  ['isInternal', true],
  ['isConfirmed', true],
  ['policy', []],
  ['password', 'Passw0rd!Passw0rd'],
  ['passwordHash', 'x'],
  ['password_hash', 'x'],
  ['createdByUser', 'Somebody'],
  ['createdDate', '2020-01-01T00:00:00.000Z'],
  ['updatedDate', '2020-01-01T00:00:00.000Z'],
  ['organization', { id: southClinic.id }],
  ['organization_id', southClinic.id],
  ['complaintNumber', 'C-000001'],
  ['licenseCount', 9],
  ['datastoreId', 'x'],
  ['tenant', southClinic.id],
  ['viewer', {}],
  ['mfaEnabled', false],
  ['toString', 'x'],
  ['hasOwnProperty', 1],
]
const hostile = [
  "'; drop table users; --",
  '" or ""="',
  '${jndi:ldap://x}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '=1+1',
  '@SUM(A1)',
  '../../etc/passwd',
  '%00',
  '\\u0000',
  '\u202Eabc',
  '\u{1F600}',
  'ﬀ',
  '‘’',
  'Robert\u0301',
  "O'Neil",
  '\t',
  '\n',
]

describe.each(cases)('$call.name', ({ call, input, textFields = [], readText }) => {
  const send = async (payload: unknown) => {
    const { url, method } = toRequest(call, await input())
    return server.app.inject({
      method,
      url,
      headers: { ...root.headers, 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
  }
  const createBody = async () => toRequest(call, await input()).payload as Record<string, unknown>

  const asksPassword = listKeys(call.definition.body).includes('password')
  const foreign = undeclared.filter(([name]) => name !== 'password' || !asksPassword)
  it.each(foreign)('refuses an undeclared %s [P03]', async (name, value) => {
    const raw = await send({ ...(await createBody()), [name]: value })
    expect([raw.statusCode, raw.json<{ code: string }>().code]).toEqual([400, 'INVALID'])
  })

  it.each(['__proto__', 'constructor', 'prototype'])(
    'refuses a %s, and nothing learns from it [P03, P16]',
    async (name) => {
      const body = JSON.stringify(await createBody())
      const raw = await send(
        `${body.slice(0, -1)}${body === '{}' ? '' : ','}"${name}":{"isInternal":true,"role":"super_admin"}}`,
      )
      expect(raw.statusCode).toBe(400)
      expect(({} as Record<string, unknown>).isInternal).toBeUndefined()
    },
  )

  it('refuses what is no object, what is given twice and what is nested without end [P16]', async () => {
    const body = JSON.stringify(await createBody())
    const first = Object.keys(await createBody())[0] ?? ''
    for (const payload of [
      '[]',
      '"x"',
      '1',
      'null',
      'true',
      '{',
      `${body}x`,
      `${body.slice(0, -1)},"${first}":"again"}`,
      '['.repeat(5000) + ']'.repeat(5000),
      `{"a":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
    ]) {
      expect([payload.slice(0, 20), (await send(payload)).statusCode]).toEqual([payload.slice(0, 20), 400])
    }
  })

  it('refuses each field that is missing or of another type, and says which [P16]', async () => {
    const body = await createBody()
    for (const field of Object.keys(body)) {
      for (const wrong of [undefined, 7, true, {}, [], ['x'], { $ne: null }]) {
        const isFine =
          (wrong === undefined && (body[field] === null || field === 'mobile' || field === 'imageData')) ||
          (wrong === true && typeof body[field] === 'boolean') ||
          (wrong === 7 && typeof body[field] === 'number') ||
          (field === 'licenses' && JSON.stringify(wrong) === '[]')
        if (isFine) continue
        const raw = await send({ ...(await createBody()), [field]: wrong })
        expect([field, wrong, raw.statusCode]).toEqual([field, wrong, 400])
        expect(raw.json<{ fields: { path: string }[] }>().fields.some(({ path }) => path.startsWith(field))).toBe(true)
      }
    }
  })

  it.each(hostile)('keeps %j as it is, or refuses it [P14, P16]', async (text) => {
    for (const field of textFields) {
      const raw = await send({ ...(await createBody()), [field]: text })
      // A name that looks like another one's is taken.
      expect([200, 400, 409]).toContain(raw.statusCode)
      if (raw.statusCode === 200) expect(readText?.(raw.json<{ data: never }>().data, field)).toBe(text)
    }
  })

  it('refuses text that cannot be stored [P16]', async () => {
    for (const field of textFields)
      expect([field, (await send({ ...(await createBody()), [field]: 'a\u0000b' })).statusCode]).toEqual([field, 400])
  })

  it('refuses an id that is none [P16]', async () => {
    const { id } = await input()
    if (id === undefined) return
    for (const other of ['1', "' or 1=1", '%2e%2e', `${String(id)}0`, '*', 'null'])
      expect((await root.call(call, { ...(await input()), id: other })).status).toBe(400)
  })
})

it('left everything standing [P16]', async () => {
  expect((await root.call(organization.list, {})).data.map(({ name }) => name)).toContain('North-Clinic')
  expect((await server.signIn('staff')).userId).toEqual(expect.any(String))
  const severityId = complaintSeverities[1]?.id ?? ''
  const { status } = await root.call(complaint.updateSeverity, { id: await addComplaint(), severityId })
  expect(status).toBe(200)
  expect(server.logs.filter((line) => line.includes('"level":50'))).toEqual([])
})
