import { businessUser, region, role } from '@dmp/contract'
import { regions, roles } from '@dmp/contract/examples'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('lists roles and regions for everybody who is signed in, in their order [3.06, 3.09, 7.35, 7.36]', async () => {
  const staff = await server.signIn('staff')
  expect((await staff.call(role.list, {})).data).toEqual(roles)
  expect((await staff.call(region.list, {})).data).toEqual(regions)
  expect((await server.call(role.list, {})).status).toBe(401)
  expect((await server.call(region.list, {})).status).toBe(401)
})

it('offers for new users nothing but id and display name [3.06]', async () => {
  const admin = await server.signIn('admin')
  const { data } = await admin.call(businessUser.listAddUserRoles, {})
  expect(data).toEqual(roles.slice(2).map(({ id, displayName }) => ({ id, displayName })))
})
