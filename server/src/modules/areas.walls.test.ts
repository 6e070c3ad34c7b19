import {
  businessUser,
  complaint,
  isEndpoint,
  organization,
  permits,
  registration,
  type Endpoint,
  type RoleName,
} from '@dmp/contract'
import {
  anAlertRules,
  complaintSeverities,
  complaintStatuses,
  northClinic,
  provider,
  southClinic,
} from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { registrationStatusIds } from '@dmp/contract/registration'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { roleIds } from '../identity/roles.ts'

/** Promise P02, for each call of the contract: a foreign object gets the very answer of one that does not exist. */
const unknownId = '00000000-0000-4000-8000-00000000dead'
const contact = { civility: 'Ms', firstName: 'Eve', lastName: 'Wall', mobile: null, landline: null, fax: null }
const severityId = complaintSeverities[3]?.id ?? ''
const statusId = complaintStatuses[2]?.id ?? ''
/** Refused before it is drawn. */
const aLogo = { filename: 'logo.png', filesize: 1, fileDataURL: 'data:image/png;base64,AAAA' }

type Kind = 'user' | 'complaint' | 'organization' | 'registration'
/** What goes with the id, so that nothing but the id can be the reason of a refusal. */
const objectCalls: readonly { call: Endpoint; kind: Kind; more?: Readonly<Record<string, unknown>>; key?: string }[] = [
  { call: businessUser.get, kind: 'user' },
  { call: businessUser.update, kind: 'user', more: contact },
  { call: businessUser.activateUser, kind: 'user' },
  { call: businessUser.deactivateUser, kind: 'user' },
  { call: businessUser.resetTemporaryPassword, kind: 'user' },
  {
    call: businessUser.add,
    kind: 'organization',
    more: { ...contact, email: 'eve@wall.example', userName: 'eve@wall.example', roleId: roleIds.staff },
    key: 'organizationId',
  },
  { call: complaint.get, kind: 'complaint' },
  { call: complaint.getCare, kind: 'complaint' },
  { call: complaint.assign, kind: 'complaint', more: { assigneeId: null, dueDate: null } },
  { call: complaint.addMessage, kind: 'complaint', more: { text: 'x' } },
  { call: complaint.updateStatus, kind: 'complaint', more: { statusId, comment: 'x' } },
  { call: complaint.updateSeverity, kind: 'complaint', more: { severityId } },
  { call: organization.get, kind: 'organization' },
  { call: organization.getReadiness, kind: 'organization' },
  { call: organization.getLogo, kind: 'organization' },
  { call: organization.setLogo, kind: 'organization', more: { imageData: aLogo } },
  { call: organization.removeLogo, kind: 'organization' },
  { call: organization.getAlertRules, kind: 'organization' },
  { call: organization.setAlertRules, kind: 'organization', more: anAlertRules() },
  { call: organization.listExports, kind: 'organization' },
  { call: organization.startExport, kind: 'organization', more: { password: 'x' } },
  { call: organization.endExport, kind: 'organization', more: { exportId: statusId } },
  { call: organization.downloadExport, kind: 'organization', more: { exportId: statusId, password: 'x' } },
  { call: organization.listImports, kind: 'organization' },
  { call: organization.startImport, kind: 'organization', more: { bytes: 10, password: 'x' } },
  { call: organization.endImport, kind: 'organization', more: { importId: statusId } },
  { call: organization.dismissSetup, kind: 'organization', more: { isDismissed: true } },
  { call: organization.update, kind: 'organization', more: { updatedOrganizationName: 'Walled' } },
  { call: organization.activate, kind: 'organization' },
  { call: organization.deactivate, kind: 'organization' },
  { call: organization.datastoreExists, kind: 'organization' },
  { call: organization.createDatastore, kind: 'organization' },
  { call: organization.listLicenses, kind: 'organization' },
  { call: organization.assignLicenses, kind: 'organization', more: { licenses: [] } },
  { call: registration.get, kind: 'registration' },
  { call: registration.approve, kind: 'registration' },
  { call: registration.reject, kind: 'registration', more: { statusId: registrationStatusIds.Rejected, comment: 'x' } },
]
const viewers = ['super_admin', 'sys_admin', 'admin', 'staff', 'service_user', 'admin@south.example'] as const

let server: TestServer
const signedIn = new Map<string, SignedIn>()
/** An object of North-Clinic, of South-Clinic and of the provider. */
const objects: Record<Kind, Record<'north' | 'south' | 'provider', string>> = {
  user: { north: '', south: '', provider: '' },
  complaint: { north: '', south: '', provider: '' },
  organization: { north: northClinic.id, south: southClinic.id, provider: provider.id },
  registration: { north: '', south: '', provider: '' },
}

beforeAll(async () => {
  server = await startServer()
  for (const who of viewers) signedIn.set(who, await server.signIn(who))
  const { db } = server.deps
  for (const [place, { id }] of [
    ['north', northClinic],
    ['south', southClinic],
    ['provider', provider],
  ] as const) {
    const user = await db
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', id)
      .where('role', '=', 'staff')
      .where('status', '=', 'Activated')
      .orderBy('email')
      .executeTakeFirstOrThrow()
    objects.user[place] = user.id
    const maker =
      place === 'north'
        ? signedIn.get('staff')
        : place === 'south'
          ? signedIn.get('admin@south.example')
          : signedIn.get('super_admin')
    const module = maker && (await maker.call(complaint.listTypes, {})).data[0]
    const added = await maker?.call(complaint.add, {
      typeId: module?.id ?? '',
      moduleId: toPolicy('staff')[0]?.moduleId ?? '',
      description: `of ${place}`,
    })
    objects.complaint[place] = added?.data.id ?? ''
  }
  const waiting = await db
    .selectFrom('registrations')
    .select('id')
    .where('status', '=', 'New')
    .executeTakeFirstOrThrow()
  objects.registration = { north: waiting.id, south: waiting.id, provider: waiting.id }
})
afterAll(() => server.close())

const toRole = (who: (typeof viewers)[number]): RoleName => (who === 'admin@south.example' ? 'admin' : who)
const findHome = (who: (typeof viewers)[number]) =>
  who === 'super_admin' || who === 'sys_admin' ? 'everywhere' : who === 'admin@south.example' ? 'south' : 'north'
const withoutRequestId = (body: string) => body.replace(/"requestId":"[^"]*"/, '')

it('knows every call of these areas that names an object', () => {
  const coveredCalls = new Set(objectCalls.map(({ call }) => call.name))
  // Names a status or a module in its body, not an object of an organization; its own tests have those.
  const others = new Set(['POST /Complaint/add', 'POST /businessUser/sendUpdatedTermsOfUse/:termsLink'])
  const naming = [businessUser, complaint, organization, registration].flatMap((module) =>
    Object.values(module)
      .filter((value): value is Endpoint => isEndpoint(value))
      .filter(
        ({ definition, name }) =>
          !others.has(name) &&
          JSON.stringify([
            Object.keys(definition.params?.entries ?? {}),
            Object.keys(definition.query?.entries ?? {}),
            Object.keys((definition.body as { entries?: object } | undefined)?.entries ?? {}),
          ]).match(/"(?:id|organizationId)"/) !== null,
      ),
  )
  expect(naming.map(({ name }) => name).filter((name) => !coveredCalls.has(name))).toEqual([])
  expect(naming.length).toBeGreaterThanOrEqual(20)
})

describe.each(viewers)('%s', (who) => {
  const calling = (call: Endpoint, id: string, more = {}, key = 'id') => {
    const viewer = signedIn.get(who)
    if (!viewer) throw new Error(who)
    return viewer.call(call, { ...more, [key]: id })
  }

  it.each(objectCalls)(
    'gets the same from $call.name for a foreign and an unknown id [P02]',
    async ({ call, kind, more, key }) => {
      const unknown = await calling(call, unknownId, more, key)
      if (!permits(toPolicy(toRole(who)), call.definition.needs)) {
        expect(unknown.status).toBe(403)
        for (const id of Object.values(objects[kind]))
          expect(withoutRequestId((await calling(call, id, more, key)).raw.body)).toBe(
            withoutRequestId(unknown.raw.body),
          )
        return
      }
      expect([unknown.status, unknown.code]).toEqual([404, 'NOT_FOUND'])
      const home = findHome(who)
      const foreign =
        home === 'everywhere'
          ? []
          : Object.entries(objects[kind])
              .filter(([place]) => place !== home || kind === 'registration')
              .map(([, id]) => id)
      for (const id of foreign) {
        const answer = await calling(call, id, more, key)
        expect([answer.status, withoutRequestId(answer.raw.body)]).toEqual([
          unknown.status,
          withoutRequestId(unknown.raw.body),
        ])
      }
      if (home !== 'everywhere') expect(foreign.length).toBeGreaterThan(0)
    },
  )

  it('sees in its lists nothing but what is its own, also by searching for it [P02]', async () => {
    const viewer = signedIn.get(who)
    const home = findHome(who)
    if (!viewer) throw new Error(who)
    if (permits(toPolicy(toRole(who)), complaint.list.definition.needs)) {
      for (const search of [undefined, 'of south', 'of north', 'of provider']) {
        const rows = (await viewer.call(complaint.list, { search })).data
        const owners = await server.deps.db.selectFrom('complaints').select(['id', 'organization_id']).execute()
        const foreign = rows.filter(
          ({ id }) =>
            home !== 'everywhere' &&
            owners.find((owner) => owner.id === id)?.organization_id !== objects.organization[home],
        )
        expect(foreign).toEqual([])
        expect(rows.length > 0).toBe(search === undefined || home === 'everywhere' || search === `of ${home}`)
      }
    }
    if (permits(toPolicy(toRole(who)), businessUser.list.definition.needs)) {
      const rows = (await viewer.call(businessUser.list, { search: 'example' })).data
      expect(new Set(rows.map(({ organizationId }) => organizationId)).size > 1).toBe(home === 'everywhere')
    }
  })
})

it('changed nothing by any of this [P02]', async () => {
  const { db } = server.deps
  expect(await db.selectFrom('users').select('id').where('last_name', '=', 'Wall').execute()).toEqual([])
  expect(await db.selectFrom('organizations').select('id').where('name', '=', 'Walled').execute()).toEqual([])
  const complaintRows = await db
    .selectFrom('complaints')
    .select('status_id')
    .where('id', 'in', Object.values(objects.complaint))
    .execute()
  expect(new Set(complaintRows.map((row) => row.status_id))).toEqual(new Set([complaintStatuses[0]?.id]))
  expect(
    (
      await db
        .selectFrom('registrations')
        .select('status')
        .where('id', '=', objects.registration.north)
        .executeTakeFirstOrThrow()
    ).status,
  ).toBe('New')
})
