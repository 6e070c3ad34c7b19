import { dicomFile } from '../../dicom/testing/dicomFile.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

const publicUrl = 'https://dmp.clinic.example'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ DMP_PUBLIC_URL: publicUrl })
})
afterAll(() => server.close())

it('answers with whole addresses where the operator says how the server is called: many programs join none', async () => {
  const admin = await server.signIn('admin')
  const stored = await stow(server, admin, [dicomFile()])
  const { statusCode, body } = await server.app.inject({
    url: '/dicom-web/studies?limit=1',
    headers: { ...admin.headers, accept: 'application/dicom+json' },
  })
  expect([stored.statusCode, statusCode]).toEqual([200, 200])
  for (const answer of [stored.body, body]) {
    expect(answer).toContain(`"${publicUrl}/dicom-web/studies/`)
    expect(answer).not.toContain('"/dicom-web/')
  }
})
