import { startServerWithDoors, type Door } from '../testing/doors.ts'
import type { TestServer } from '../testing/server.ts'

const tried = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

let server: TestServer
let addresses: ReadonlyMap<string, readonly Door[]>
beforeAll(async () => {
  const started = await startServerWithDoors()
  server = started.server
  const doors = started.doors.filter(({ url }) => /^\/(api|dicom-web)\//.test(url) && !url.endsWith('*'))
  addresses = Map.groupBy(doors, ({ url }) => url.replaceAll(/:\w+/g, '1.2'))
})
afterAll(() => server.close())

const ask = (method: (typeof tried)[number] | 'OPTIONS', url: string, payload?: string) =>
  server.app.inject({ method, url, ...(payload && { payload, headers: { 'content-type': 'text/plain' } }) })

describe('an address that takes other methods', () => {
  it('says 405 and which ones, everywhere, before it reads a body', async () => {
    expect(addresses.size).toBeGreaterThan(200)
    for (const [url, doors] of addresses) {
      const taken = doors.map(({ method }) => method)
      const wrong = tried.find((method) => !taken.includes(method))
      if (wrong === undefined) continue
      const reply = await ask(wrong, `${url}?a=b`, wrong === 'GET' || wrong === 'HEAD' ? undefined : 'no JSON')
      const allowed = String(reply.headers.allow).split(', ')
      expect([url, wrong, reply.statusCode]).toEqual([url, wrong, 405])
      expect([url, allowed]).toEqual([url, expect.arrayContaining(taken)])
      expect([url, allowed]).not.toEqual([url, expect.arrayContaining([wrong])])
      if (wrong !== 'HEAD')
        expect(reply.json()).toMatchObject({ message: 'This address does not support that method.' })
    }
  })

  it.each([
    ['/api/Changes', 204, ['GET', 'HEAD', 'OPTIONS']],
    ['/api/CHANGES/', 204, ['GET', 'HEAD', 'OPTIONS']],
    ['/api/oauth/token', 204, ['POST', 'OPTIONS']],
    ['/dicom-web/series', 200, ['GET', 'HEAD', 'OPTIONS']],
    ['/dicom-web/studies/1.2/metadata', 200, ['GET', 'HEAD', 'OPTIONS']],
    ['/dicom-web/studies/1.2', 200, ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']],
    ['/dicom-web', 200, ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']],
  ])('answers OPTIONS %s with what it takes (RFC 9110, 9.3.7)', async (url, status, methods) => {
    const reply = await ask('OPTIONS', url)
    expect(reply.statusCode).toBe(status)
    expect(String(reply.headers.allow).split(', ').toSorted()).toEqual(methods.toSorted())
  })

  it.each(['/api/nothing', '/api/Scan/list/more/and/more', '/dicom-web/nothing'])(
    'is still unknown where there is none: %s',
    async (url) => {
      for (const method of tried) {
        const reply = await ask(method, url)
        expect([method, reply.statusCode, reply.headers.allow]).toEqual([method, 404, undefined])
      }
    },
  )
})
