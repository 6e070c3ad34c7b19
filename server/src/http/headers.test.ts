import { scan } from '@dmp/contract'
import { dicomFile } from '../dicom/testing/dicomFile.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DMP_PUBLIC_URL: 'https://dmp.example.org' })
})
afterAll(() => server.close())

/** Opened by itself, an answer runs and loads nothing, is what it says it is, and stands in no page of others. */
const closed = {
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; object-src 'none';.* base-uri 'none'; form-action '\w+'; frame-ancestors 'none'/,
  ) as string,
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

it.each([
  '/share/anything',
  '/api/account/profile',
  '/api/nothing',
  '/api/%',
  '/api/openapi.json',
  '/api/Scan/downloads/none',
  '/dicom-web/studies',
  '/releases/none',
  '/launch',
  '/healthz',
])('keeps %s out of search engines, caches and other sites [P10, P22]', async (url) => {
  const { headers } = await server.app.inject({ url })
  expect(headers).toMatchObject({ ...closed, 'cache-control': 'no-store' })
})

it('gives what people sent out as what it is, and nothing of it runs in a browser that opens it [P10]', async () => {
  const staff = await server.signIn('staff')
  expect((await stow(server, staff, [dicomFile()])).statusCode).toBe(200)
  const row = await server.deps.db.selectFrom('instances').selectAll().executeTakeFirstOrThrow()
  const study = `/dicom-web/studies/${row.study_uid}`
  const instance = `${study}/series/${row.series_uid}/instances/${row.sop_instance_uid}`
  for (const [url, accept] of [
    [study, 'multipart/related; type="application/dicom"'],
    [instance, 'application/dicom'],
    [`${study}/metadata`, 'application/dicom+json'],
    [`${instance}/rendered`, '*/*'],
    ['/dicom-web/studies', '*/*'],
  ] as const) {
    const { statusCode, headers } = await server.app.inject({ url, headers: { ...staff.headers, accept } })
    expect([url, statusCode]).toEqual([url, 200])
    expect(headers).toMatchObject(closed)
    expect(headers['content-security-policy']).not.toContain('script-src')
    expect(headers['content-type']).toMatch(/^(?:multipart\/related|application\/dicom|image\/)/)
  }
})

it('gives the image viewer a cookie whose name tells the browser to keep it to HTTPS [P10]', async () => {
  const staff = await server.signIn('staff')
  const organizationId = await server.organizationOf(staff)
  const { series_uid: seriesUID } = await server.deps.db
    .selectFrom('instances')
    .select('series_uid')
    .executeTakeFirstOrThrow()
  const { data } = await staff.call(scan.get, { organizationId, seriesUID })
  const launched = await server.app.inject({
    method: 'POST',
    url: '/launch',
    headers: { ...staff.headers },
    payload: { imageSetID: data.advanced.imageSetID },
  })
  expect(launched.cookies.map(({ name, path, secure, httpOnly }) => [name, path, secure, httpOnly])).toEqual([
    ['__Secure-dmp-launch', '/dicom-web', true, true],
    ['__Secure-dmp-launch', '/launch', true, true],
  ])
  const value = launched.cookies[0]?.value ?? ''
  // The name without a prefix is that of a version before, whose launches go on.
  for (const name of ['__Secure-dmp-launch', 'dmp-launch'])
    expect((await server.app.inject({ url: '/dicom-web/studies', cookies: { [name]: value } })).statusCode).toBe(200)
})
