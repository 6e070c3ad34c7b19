import { organization as organizationCalls, scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
let organizationId: string
beforeEach(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
  const elements = slice({ '0020000D': text('UI', '1.7'), '0020000E': text('UI', '1.7.1') })
  expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
})
afterEach(() => server.close())

const getFrame = async (who = admin) =>
  (
    await server.app.inject({
      url: '/dicom-web/studies/1.7/series/1.7.1/instances/1.2.3.4.5/frames/1',
      headers: { ...who.headers, accept: 'application/octet-stream' },
    })
  ).statusCode

describe('two hundred frames of one series', () => {
  it('ask the database for their instance and its organization once [P18]', async () => {
    expect(await getFrame()).toBe(200)
    const asked = jest.spyOn(server.deps.db.getExecutor(), 'executeQuery')
    const replies = await Promise.all(Array.from({ length: 200 }, () => getFrame()))
    expect(new Set(replies)).toEqual(new Set([200]))
    expect(asked.mock.calls.length).toBeLessThan(20)
    asked.mockRestore()
  })

  it('are gone with the scan, at once', async () => {
    expect(await getFrame()).toBe(200)
    expect((await admin.call(scan.remove, { organizationId, seriesIdList: ['1.7.1'] })).status).toBe(200)
    expect(await getFrame()).toBe(404)
  })

  it('are gone with the person’s access, at once [P02, P03]', async () => {
    const root = await server.signIn('super_admin')
    expect([await getFrame(), await getFrame(root)]).toEqual([200, 404])
    expect((await root.call(organizationCalls.deactivate, { id: organizationId })).status).toBe(200)
    expect(await getFrame()).toBe(401)
  })
})
