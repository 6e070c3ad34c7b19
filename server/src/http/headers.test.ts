import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it.each(['/share/anything', '/api/account/profile', '/api/nothing', '/dicom-web/studies', '/launch', '/healthz'])(
  'keeps %s out of search engines, caches and other sites [P10, P22]',
  async (url) => {
    const { headers } = await server.app.inject({ url })
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  },
)
