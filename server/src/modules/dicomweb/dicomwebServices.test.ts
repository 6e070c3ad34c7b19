import { server, staff, json, get, value, xa, startWithSamples } from './dicomwebInTests.ts'
import { formatOffer } from './acceptedTypes.ts'
import { serviceList, type Service, type ServiceName } from './dicomwebServices.ts'

let uids: Record<string, string>
beforeAll(async () => {
  await startWithSamples()
  const [instance] = json(await get(staff, `/studies/${xa.study}/series/${xa.series}/instances`))
  uids = { ...xa, instance: String(value(instance, '00080018')), frames: '2' }
})
afterAll(() => server.close())

const toUrl = (path: string): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => uids[name] ?? '').replace('*', '7FE00010')
const ask = (method: 'GET' | 'HEAD' | 'OPTIONS', url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method, url, headers: { ...staff.headers, ...headers } })

/** Each service that answers with something, at each of its addresses. */
const reading = serviceList
  .filter(([, { method }]) => method === 'GET')
  .flatMap(([name, service]) => service.paths.map((path) => [`${name} ${path}`, name, service, path] as const))

describe.each(reading)('%s', (_title, name: ServiceName, service: Service, path: string) => {
  it('answers in each form that the table has, and says so', async () => {
    for (const offer of service.answers) {
      const reply = await ask('GET', toUrl(path), { accept: formatOffer(offer) })
      const type = String(reply.headers['content-type'])
      expect([formatOffer(offer), reply.statusCode]).toEqual([formatOffer(offer), 200])
      expect(offer.isMultipart ? type.startsWith('multipart/related') : type.startsWith(offer.type)).toBe(true)
      expect(reply.body).toContain(offer.isMultipart ? `Content-Type: ${offer.type}` : '')
    }
  })

  it('takes the form from the address as from the header, and the heavier one first', async () => {
    const last = service.answers.at(-1)
    if (!last) throw new Error(`${name} answers nothing`)
    const byAddress = await ask('GET', `${toUrl(path)}?accept=${encodeURIComponent(formatOffer(last))}`)
    const byWeight = await ask('GET', toUrl(path), { accept: `*/*;q=0.1, ${formatOffer(last)};q=0.9` })
    for (const { statusCode, headers } of [byAddress, byWeight])
      expect([statusCode, String(headers['content-type'])]).toEqual([200, expect.stringContaining(last.type)])
  })

  it('refuses what it does not have instead of answering something else', async () => {
    for (const accept of ['text/html', 'application/dicom+xml', 'image/gif', 'application/zip', '*/*;q=0'])
      expect([accept, (await ask('GET', toUrl(path), { accept })).statusCode]).toEqual([accept, 406])
    const refused = await ask('GET', `${toUrl(path)}?annotation=patient`)
    expect(refused.statusCode).toBe(400)
  })

  it('tells by HEAD what it would answer, without the answer', async () => {
    const [head, whole] = [await ask('HEAD', toUrl(path)), await ask('GET', toUrl(path))]
    const typeOf = (type: unknown): string => String(type).replace(/boundary=.*/, '')
    expect([head.statusCode, typeOf(head.headers['content-type']), head.body]).toEqual([
      200,
      typeOf(whole.headers['content-type']),
      '',
    ])
  })

  it('is among the capabilities, with what it takes', async () => {
    const capabilities = (await ask('OPTIONS', '/dicom-web', { accept: 'application/json' })).json<{
      resources: { path: string; methods: { name: string; responses: string[]; parameters: string[] }[] }[]
    }>()
    const template = path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
    const method = capabilities.resources
      .find((resource) => resource.path === template)
      ?.methods.find((candidate) => candidate.name === service.method)
    expect(method?.responses).toEqual(service.answers.map(formatOffer))
    expect(method?.parameters).toEqual(expect.arrayContaining([...service.parameters]))
  })
})

it('describes itself in WADL, to everybody', async () => {
  const all = 'POST, GET, HEAD, DELETE, OPTIONS'
  for (const [url, methods] of [
    ['/dicom-web', all],
    ['/dicom-web/', all],
    ['/dicom-web/studies', 'POST, GET, HEAD, OPTIONS'],
  ] as const) {
    const reply = await server.app.inject({ method: 'OPTIONS', url })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/vnd.sun.wadl+xml'])
    expect(reply.headers.allow).toBe(methods)
    expect(reply.body).toContain('<resource path="studies/{study}/series/{series}/metadata">')
  }
})

describe('a version', () => {
  const whole = () => `/dicom-web/studies/${xa.study}/series/${xa.series}/instances/${uids.instance}`

  it('that the client has is not sent again', async () => {
    for (const url of [whole(), `/dicom-web/studies/${xa.study}`, `${whole()}/metadata`, `${whole()}/frames/1,3`]) {
      const { etag } = (await ask('GET', url)).headers
      const again = await ask('GET', url, { 'if-none-match': `"another", ${String(etag)}` })
      expect([url, again.statusCode, again.body, again.headers.etag]).toEqual([url, 304, '', etag])
      expect((await ask('GET', url, { 'if-none-match': '"another"' })).statusCode).toBe(200)
    }
  })

  it('is another in another form', async () => {
    const explicit = 'application/dicom; transfer-syntax=1.2.840.10008.1.2.1'
    const [stored, made] = [await ask('GET', whole()), await ask('GET', whole(), { accept: explicit })]
    expect(made.headers.etag).not.toBe(stored.headers.etag)
  })
})

const shown = reading.filter(([, , { level }]) => !level)

it.each(shown)('%s: who asks for what is not there has seen nothing [P24]', async (_title, _name, _service, path) => {
  const record = () =>
    server.deps.db.selectFrom('audit').select('position').where('actor_id', '=', staff.userId).execute()
  const before = await record()
  for (const word of [':instance', ':series', ':study'].filter((word) => path.includes(word)))
    expect([word, (await ask('GET', toUrl(path.replace(word, '1.404')))).statusCode]).toEqual([word, 404])
  expect(await record()).toEqual(before)
})
