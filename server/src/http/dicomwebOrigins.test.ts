import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

const ohif = 'https://ohif.example.org'
let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_PUBLIC_URL: 'https://dmp.example.org', DMP_DICOMWEB_ORIGINS: ohif })
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const ask = (url: string, headers: Record<string, string>, method: 'GET' | 'OPTIONS' = 'GET') =>
  server.app.inject({ method, url, headers })

describe('a page of an origin that the operator named', () => {
  it('reads DICOMweb with a token, and no header allows it cookies [P10]', async () => {
    const { statusCode, headers } = await ask('/dicom-web/studies', { ...staff.headers, origin: ohif })
    expect([statusCode, headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
      200,
      ohif,
      undefined,
    ])
    expect([headers['cross-origin-resource-policy'], headers.vary]).toEqual([
      'cross-origin',
      expect.stringContaining('origin'),
    ])
  })

  it('is told what is wrong, too', async () => {
    const refused = await ask('/dicom-web/studies?ContentLabel=x', { ...staff.headers, origin: ohif })
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([400, ohif])
    const stranger = await ask('/dicom-web/studies', { origin: ohif, cookie: 'dmp-launch=whatever' })
    expect([stranger.statusCode, stranger.headers['access-control-allow-origin']]).toEqual([401, ohif])
  })

  it('may ask before it sends a token', async () => {
    const preflight = await ask(
      '/dicom-web/studies/1.2/series/1.3/metadata',
      { origin: ohif, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
      'OPTIONS',
    )
    expect([preflight.statusCode, preflight.headers]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': ohif,
        'access-control-allow-methods': expect.stringContaining('DELETE'),
        'access-control-allow-headers': expect.stringContaining('authorization'),
      }),
    ])
  })

  it('gets nothing anywhere else, and no other origin gets anything [P10]', async () => {
    for (const [url, origin] of [
      ['/api/role/list', ohif],
      ['/dicom-web/studies', 'https://evil.example'],
      ['/dicom-web/studies', `${ohif}.evil.example`],
      ['/dicom-web/studies', 'null'],
    ] as const) {
      const { statusCode, headers } = await ask(url, { ...staff.headers, origin })
      const names = Object.keys(headers).filter((name) => name.startsWith('access-control'))
      expect([url, origin, names]).toEqual([url, origin, []])
      expect(statusCode).toBe(403)
    }
  })
})

it('is an origin by name, never all of them', async () => {
  await expect(startServer({ DMP_DICOMWEB_ORIGINS: '*' })).rejects.toThrow('DMP_DICOMWEB_ORIGINS')
})
