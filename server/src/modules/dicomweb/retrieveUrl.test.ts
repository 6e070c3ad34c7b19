import { dicomFile } from '../../dicom/testing/dicomFile.ts'
import { startServer, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { originOf } from './retrieveUrl.ts'

const publicUrl = 'https://dmp.clinic.example'

describe.each([
  ['as the operator says that the server is called', { DMP_PUBLIC_URL: publicUrl }, publicUrl],
  ['as the request calls a demo', {}, 'http://192.168.1.20:4000'],
])('addresses are whole, for many programs join none: %s', (_what, settings, origin) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(settings)
  })
  afterAll(() => server.close())

  it('in what is stored, found and described, and each of them answers', async () => {
    const host = new URL(origin).host
    const admin = await server.signIn('admin')
    const headers = { ...admin.headers, host }
    const stored = await stow(server, { ...admin, headers }, [dicomFile()])
    const ask = (url: string) => server.app.inject({ url, headers: { ...headers, accept: 'application/dicom+json' } })
    const [study = ''] = /[^"]+\/dicom-web\/studies\/[\d.]+(?=")/.exec(stored.body) ?? []
    const { pathname } = new URL(study)
    const answers = [stored, await ask('/dicom-web/studies'), await ask(`${pathname}/metadata`)]
    for (const { statusCode, body } of answers) {
      expect([statusCode, body]).toEqual([200, expect.stringContaining(`"${origin}/dicom-web/studies/`)])
      expect(body).not.toContain('"/dicom-web/')
    }
  })
})

it('repeats no name that nobody judged', async () => {
  const request = { protocol: 'http', headers: { host: 'evil.example' } } as const
  expect(originOf({ isDemo: false, publicUrl: undefined }, request)).toBe('')
})
