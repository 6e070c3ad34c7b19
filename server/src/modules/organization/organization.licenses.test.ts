import { organization } from '@dmp/contract'
import { northClinic, southClinic, westClinic } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { findLicenseId, listLicenses, unknownId } from './organizationInTests.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

describe('licenses', () => {
  it('offers one per app, also those that the organization has not [2.54, 3.08, 7.34]', async () => {
    const licenses = await listLicenses(root, westClinic.id)
    expect(licenses.map(({ saas }) => saas)).toEqual(['Autometrics', 'BMD', 'OssView', 'PeekMed'])
    expect(licenses.every(({ isActive, isAutomaticAnalysis }) => !isActive && !isAutomaticAnalysis)).toBe(true)
    expect((await admin.call(organization.listLicenses, { id: northClinic.id })).status).toBe(200)
  })

  it('saves both flags of several together, and leaves the others as they are [1.05, 4.06, 7.33]', async () => {
    const [autometrics, peekMed] = [await findLicenseId(root, 'Autometrics'), await findLicenseId(root, 'PeekMed')]
    const { status, data } = await root.call(organization.assignLicenses, {
      id: northClinic.id,
      licenses: [
        { licenseId: autometrics, isActive: false, isAutomaticAnalysis: false },
        { licenseId: peekMed, isActive: true, isAutomaticAnalysis: true },
      ],
    })
    expect(status).toBe(200)
    expect(
      data.licenses.map(({ saas, isActive, isAutomaticAnalysis }) => [saas, isActive, isAutomaticAnalysis]),
    ).toEqual([
      ['Autometrics', false, false],
      ['BMD', true, false],
      ['OssView', false, false],
      ['PeekMed', true, true],
    ])
    expect((await listLicenses(root, southClinic.id)).find(({ saas }) => saas === 'PeekMed')).toMatchObject({
      isActive: true,
      isAutomaticAnalysis: true,
    })
  })

  it('are left as they are where none is mentioned [4.06]', async () => {
    const previousLicenses = await listLicenses(root, southClinic.id)
    expect((await root.call(organization.assignLicenses, { id: southClinic.id, licenses: [] })).status).toBe(200)
    expect(await listLicenses(root, southClinic.id)).toEqual(previousLicenses)
  })

  it('say which organization has a place for scans [2.58]', async () => {
    const { data } = await root.call(organization.listActivated, {})
    expect(Object.fromEntries(data.map(({ name, hasDatastore }) => [name, hasDatastore]))).toMatchObject({
      'North-Clinic': true,
      Provider: false,
    })
  })

  it('refuses two for one app and licenses that there are not [3.08]', async () => {
    const id = await findLicenseId(root, 'BMD')
    const on = { isActive: true, isAutomaticAnalysis: true }
    expect(
      await root.call(organization.assignLicenses, {
        id: northClinic.id,
        licenses: [
          { licenseId: id, ...on },
          { licenseId: id.toUpperCase(), ...on },
        ],
      }),
    ).toMatchObject({
      status: 400,
      fields: [{ path: 'licenses.1.licenseId', message: 'Assign only one license for BMD.' }],
    })
    expect(
      (
        await root.call(organization.assignLicenses, {
          id: northClinic.id,
          licenses: [{ licenseId: unknownId, ...on }],
        })
      ).status,
    ).toBe(404)
  })

  it('refuses what was made on an older state, with both values', async () => {
    const { updatedDate } = (await root.call(organization.get, { id: southClinic.id })).data
    const assign = async (isActive: boolean, seen: string) =>
      root.call(organization.assignLicenses, {
        id: southClinic.id,
        licenses: [{ licenseId: await findLicenseId(root, 'OssView'), isActive, isAutomaticAnalysis: false }],
        seenUpdatedDate: seen,
      })
    expect((await assign(true, updatedDate)).status).toBe(200)
    expect(await assign(false, updatedDate)).toMatchObject({
      status: 409,
      code: 'CHANGED_MEANWHILE',
      fields: [{ path: 'licenses.0.isActive', message: 'OssView active: Now “on”; you entered “off”.' }],
    })
  })
})
