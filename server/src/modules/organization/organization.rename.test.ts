import { account, organization } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { toRequest } from '../../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

describe('renaming', () => {
  it('gives a new name, by its own administrator too [2.28, 2.53, 5.11, 7.29]', async () => {
    const { status, data } = await admin.call(organization.update, {
      id: northClinic.id,
      // As it is copied out of a mail.
      updatedOrganizationName: ' North-Clinic_2 ',
    })
    expect([status, data.name]).toEqual([200, 'North-Clinic_2'])
    expect(Date.parse(data.updatedDate)).toBeGreaterThan(Date.parse(data.createdDate))
    expect((await admin.call(account.profile, {})).data.organization.name).toBe('North-Clinic_2')
    await admin.call(organization.update, { id: northClinic.id, updatedOrganizationName: northClinic.name })
  })

  it.each([
    ['', 'Please enter a new organization name.'],
    ['North Clinic', 'Only alphanumericals, - and _ allowed'],
    ['North.Clinic', 'Only alphanumericals, - and _ allowed'],
    ['<b>', 'Only alphanumericals, - and _ allowed'],
    ['x'.repeat(256), 'Please use at most 255 characters.'],
  ])('refuses the name %j [5.11, 5.17]', async (updatedOrganizationName, message) => {
    const { status, fields } = await root.call(organization.update, { id: northClinic.id, updatedOrganizationName })
    expect([status, fields]).toEqual([400, [{ path: 'updatedOrganizationName', message }]])
  })

  const severalAlphabets =
    'These letters are of several alphabets, so that the name could pass for another one. Use one alphabet.'
  it.each([
    ['a Cyrillic letter among Latin ones', 'South-Cl\u0456nic', severalAlphabets],
    ['a Greek one', 'S\u03BFuth-Clinic', severalAlphabets],
    ['nothing but marks', '\u0301\u0301', 'Only alphanumericals, - and _ allowed'],
  ])('refuses a name that passes for another one or for none: %s [5.11, P02]', async (_what, name, message) => {
    const { status, fields } = await admin.call(organization.update, {
      id: northClinic.id,
      updatedOrganizationName: name,
    })
    expect([status, fields]).toEqual([400, [{ path: 'updatedOrganizationName', message }]])
  })

  it.each(['Кли\u0438\u0306ника-2', 'Κλινική_1', '北クリニック'])(
    'takes %j, of one alphabet or of none of those [5.11]',
    async (name) => {
      const { status, data } = await admin.call(organization.update, {
        id: northClinic.id,
        updatedOrganizationName: name,
      })
      expect([status, data.name]).toEqual([200, name.normalize('NFC')])
      await admin.call(organization.update, { id: northClinic.id, updatedOrganizationName: northClinic.name })
    },
  )

  it('knows a name that is taken in another spelling of the same letters [5.11, P02]', async () => {
    const rename = (id: string, updatedOrganizationName: string) =>
      root.call(organization.update, { id, updatedOrganizationName })
    expect((await rename(southClinic.id, 'M\u00FCnster')).status).toBe(200)
    expect((await rename(northClinic.id, 'Mu\u0308nster')).code).toBe('NAME_TAKEN')
    expect((await rename(southClinic.id, southClinic.name)).status).toBe(200)
  })

  it('takes 255 characters [5.11, 9.03]', async () => {
    expect(
      (await root.call(organization.update, { id: southClinic.id, updatedOrganizationName: 'x'.repeat(255) })).status,
    ).toBe(200)
    expect(
      (await root.call(organization.update, { id: southClinic.id, updatedOrganizationName: southClinic.name })).status,
    ).toBe(200)
  })

  it('never gives a name twice, whatever its case and whoever has it', async () => {
    for (const name of ['South-Clinic', 'SOUTH-clinic', 'West-Clinic', 'provider']) {
      const { status, code, fields } = await root.call(organization.update, {
        id: northClinic.id,
        updatedOrganizationName: name,
      })
      expect([status, code, fields]).toEqual([
        409,
        'NAME_TAKEN',
        [
          {
            path: 'updatedOrganizationName',
            message: 'An organization with this name already exists. Choose another name.',
          },
        ],
      ])
    }
    expect((await root.call(organization.get, { id: northClinic.id })).data.name).toBe('North-Clinic')
  })

  it('gives a name to one of two that ask at once', async () => {
    const replies = await Promise.all(
      [northClinic, southClinic].map(({ id }) =>
        root.call(organization.update, { id, updatedOrganizationName: 'Wanted' }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const { id, name } of [northClinic, southClinic])
      await root.call(organization.update, { id, updatedOrganizationName: name })
  })

  it('refuses what was made on an older state, with both values', async () => {
    const { updatedDate } = (await root.call(organization.get, { id: northClinic.id })).data
    expect(
      (
        await root.call(organization.update, {
          id: northClinic.id,
          updatedOrganizationName: 'North-A',
          seenUpdatedDate: updatedDate,
        })
      ).status,
    ).toBe(200)
    const late = await admin.call(organization.update, {
      id: northClinic.id,
      updatedOrganizationName: 'North-B',
      seenUpdatedDate: updatedDate,
    })
    expect([late.status, late.code, late.fields]).toEqual([
      409,
      'CHANGED_MEANWHILE',
      [{ path: 'updatedOrganizationName', message: 'Now “North-A”; you entered “North-B”.' }],
    ])
    // As pages send it: the properties are those of the specification.
    const input = { id: northClinic.id, updatedOrganizationName: 'North-C' }
    const { url, payload } = toRequest(organization.update, input)
    const rename = (seenDate: string) =>
      server.app.inject({
        method: 'PUT',
        url,
        payload: payload ?? {},
        headers: { ...admin.headers, 'dmp-seen-updated-date': seenDate },
      })
    expect((await rename(updatedDate)).json()).toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect((await rename('yesterday')).statusCode).toBe(400)
    const { data } = await admin.call(organization.get, { id: northClinic.id })
    expect((await rename(data.updatedDate)).statusCode).toBe(200)
    await root.call(organization.update, { id: northClinic.id, updatedOrganizationName: northClinic.name })
  })
})
