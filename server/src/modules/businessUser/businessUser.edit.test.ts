import { account, businessUser } from '@dmp/contract'
import { provider, southClinic } from '@dmp/contract/examples'
import { roleIds } from '../../identity/roles.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addUser } from './businessUserInTests.ts'

let server: TestServer
let root: SignedIn
let sys: SignedIn
let admin: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  sys = await server.signIn('sys_admin')
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

describe('editing', () => {
  const contact = {
    civility: 'Dr',
    firstName: 'Rita',
    lastName: 'Levi-M',
    mobile: null,
    landline: '030 5550',
    fax: null,
  } as const

  it('changes title, names and phones of another user, and nothing else [2.24, 7.16, P03]', async () => {
    const { id, email, role } = await addUser(admin)
    const { status, data } = await admin.call(businessUser.update, { id, ...contact })
    expect(status).toBe(200)
    expect(data).toMatchObject({ ...contact, email, role, fullName: 'Dr Rita Levi-M' })
    for (const more of [
      { email: 'x@north.example' },
      { roleId: roleIds.admin },
      { organizationId: southClinic.id },
      { status: 'Deactivated' },
      { isConfirmed: true },
    ]) {
      expect((await admin.call(businessUser.update, { id, ...contact, ...more })).status).toBe(400)
    }
    expect((await staff.call(businessUser.update, { id, ...contact })).status).toBe(403)
  })

  it('of the own profile answers the user with the policy, and later work carries the new name [2.46, 3.15, 4.15, 7.16]', async () => {
    const { data } = await staff.call(businessUser.updateProfile, {
      ...contact,
      firstName: 'Noah',
      lastName: 'Weber-Lind',
    })
    expect([data.fullName, data.id, data.policy.length]).toEqual(['Dr Noah Weber-Lind', staff.userId, 2])
    expect((await staff.call(account.profile, {})).data).toEqual(data)
  })

  it('is told to every server each time, so that none goes on with who the person was [P11]', async () => {
    const told: string[] = []
    server.deps.bus.subscribe((news) => {
      if (news.kind === 'viewersChanged') told.push(...(news.userIds ?? []))
    })
    const { id } = await addUser(admin)
    for (const change of [
      () => admin.call(businessUser.update, { id, ...contact }),
      () => admin.call(businessUser.deactivateUser, { id }),
      () => admin.call(businessUser.activateUser, { id }),
    ]) {
      told.length = 0
      expect((await change()).status).toBe(200)
      expect(told).toContain(id)
    }
    expect((await staff.call(businessUser.updateProfile, contact)).status).toBe(200)
    expect(told).toContain(staff.userId)
  })

  it('refuses what was made on an older state, with both values', async () => {
    const { id, updatedDate } = await addUser(admin)
    expect(
      (await admin.call(businessUser.update, { id, ...contact, lastName: 'First', seenUpdatedDate: updatedDate }))
        .status,
    ).toBe(200)
    const late = await root.call(businessUser.update, {
      id,
      ...contact,
      lastName: 'Second',
      seenUpdatedDate: updatedDate,
    })
    expect(late).toMatchObject({
      status: 409,
      code: 'CHANGED_MEANWHILE',
      fields: [{ path: 'lastName', message: 'Now “First”; you entered “Second”.' }],
    })
    expect(late.message).toBe(
      'Someone else changed this user while you were working on it. Check the current values before you save.',
    )
    const empty = await root.call(businessUser.update, {
      id,
      ...contact,
      lastName: 'First',
      mobile: '030 1',
      landline: '',
      seenUpdatedDate: updatedDate,
    })
    expect(empty.fields).toEqual([
      { path: 'mobile', message: 'Now empty; you entered “030 1”.' },
      { path: 'landline', message: 'Now “030 5550”; you entered empty.' },
    ])
  })

  it('of the own profile says so in its own words when it was made on an older state', async () => {
    const { data } = await staff.call(account.profile, {})
    const late = await staff.call(businessUser.updateProfile, {
      ...contact,
      seenUpdatedDate: new Date(Date.parse(data.updatedDate) - 1).toISOString(),
    })
    expect([late.status, late.message]).toEqual([
      409,
      'Someone else changed your profile while you were working on it. Check the current values before you save.',
    ])
  })

  it('always makes the state newer, also where the clock of another server was ahead', async () => {
    const { id } = await addUser(admin)
    const ahead = new Date(Date.now() + 3_600_000)
    await server.deps.db.updateTable('users').set({ updated_date: ahead }).where('id', '=', id).execute()
    const { data } = await admin.call(businessUser.update, { id, ...contact, seenUpdatedDate: ahead.toISOString() })
    expect(Date.parse(data.updatedDate)).toBeGreaterThan(ahead.getTime())
  })

  it('of somebody above is refused, as are activating, deactivating and resetting them', async () => {
    const above = await addUser(root, {
      roleId: roleIds.super_admin,
      organizationId: provider.id,
      email: 'waiting@dmp.example',
    })
    for (const call of [businessUser.activateUser, businessUser.deactivateUser, businessUser.resetTemporaryPassword])
      expect(await sys.call(call, { id: above.id })).toMatchObject({ status: 403, code: 'ROLE_ABOVE_OWN' })
    expect(await sys.call(businessUser.update, { id: above.id, ...contact })).toMatchObject({
      status: 403,
      code: 'ROLE_ABOVE_OWN',
    })
    expect((await root.call(businessUser.get, { id: above.id })).data).toEqual(above)
    expect((await root.call(businessUser.deactivateUser, { id: above.id })).status).toBe(200)
  })
})
