import { organization, scan } from '@dmp/contract'
import { server, admin, south, northId, startWithCanaries, begin, canary, getFinished } from './transferInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

describe('who may transfer, and where to [P02]', () => {
  it('goes only to an activated organization with a datastore, by its name in any case; all others answer alike [5.12, P02]', async () => {
    const root = await server.signIn('super_admin')
    const person = { civility: 'Ms', firstName: 'Fay', lastName: 'Far' }
    // One lacks a datastore only, the other is deactivated only.
    await root.call(organization.add, { name: 'Far-Clinic', withDatastore: false, ...person, email: 'a@far.example' })
    const shut = { name: 'Shut-Clinic', withDatastore: true, ...person, email: 'a@shut.example' }
    const { data: added } = await root.call(organization.add, shut)
    expect((await root.call(organization.deactivate, { id: added.id })).status).toBe(200)
    const replies = await Promise.all(
      ['West-Clinic', 'Far-Clinic', 'Shut-Clinic', 'Nowhere', 'south-clinic-2'].map((dstOrganizationName) =>
        begin([canary], { dstOrganizationName }),
      ),
    )
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.code} ${reply.message}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(404)
    expect(replies[0]?.message).toMatch(/Check the spelling, or ask the recipient/)
    expect((await begin([canary], { dstOrganizationName: 'North-Clinic' })).status).toBe(409)
    for (const name of ['South-Clinic', 'south-CLINIC'])
      expect((await admin.call(scan.findDestination, { name })).data).toEqual({ name: 'South-Clinic' })
    // The first step says so already; the provider names where the scans are.
    const own = await admin.call(scan.findDestination, { name: 'North-Clinic' })
    expect([own.status, own.fields?.[0]?.path]).toEqual([409, 'dstOrganizationName'])
    const found = await root.call(scan.findDestination, { name: 'North-Clinic', organizationId: northId })
    expect(found.status).toBe(409)
    expect((await admin.call(scan.findDestination, { name: 'West-Clinic' })).status).toBe(404)
  })

  it('refuses scans of others, unknown ones and pairs that do not belong together, all or nothing [P02]', async () => {
    expect(
      (
        await south.call(scan.transfer, {
          organizationId: northId,
          scans: [canary],
          dstOrganizationName: 'South-Clinic',
          anonymize: true,
        })
      ).status,
    ).toBe(404)
    expect((await begin([canary, { studyUID: '1.11', seriesUID: '1.404' }])).status).toBe(404)
    expect((await begin([{ studyUID: '1.13', seriesUID: '1.11.1' }])).status).toBe(404)
    expect((await begin([])).status).toBe(400)
  })

  it('needs Scan/Transfer, and shows each user their own transfers only [6.02, P01]', async () => {
    const staff = await server.signIn('staff')
    expect(
      (
        await staff.call(scan.transfer, {
          organizationId: northId,
          scans: [canary],
          dstOrganizationName: 'South-Clinic',
          anonymize: true,
        })
      ).status,
    ).toBe(403)
    expect((await south.call(scan.listTransfers, {})).data).toEqual([])
    for (let count = 0; count < 3; count += 1) await getFinished((await begin([canary])).data.id)
    const begun = (await admin.call(scan.listTransfers, {})).data.map(({ createdDate }) => createdDate)
    expect(begun.length).toBeGreaterThan(2)
    expect(begun).toEqual(begun.toSorted().reverse())
  })
})
