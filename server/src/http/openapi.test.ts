import { calls } from '@dmp/contract/calls'
import { startServer, type TestServer } from '../testing/server.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly parameters: readonly { name: string; in: string; required: boolean }[]
  readonly requestBody?: {
    required: boolean
    content: { 'application/json': { schema: { additionalProperties?: boolean } } }
  }
  readonly responses: Readonly<Record<string, { content?: { 'application/json': { schema: unknown } }; $ref?: string }>>
}

let server: TestServer
let document: {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, unknown> }
}
beforeAll(async () => {
  server = await startServer()
  document = (await server.app.inject({ method: 'GET', url: '/api/openapi.json' })).json()
})
afterAll(() => server.close())

describe('the API document', () => {
  it.each(calls.map((call) => [call.name, call] as const))('describes %s [7.01]', (_name, { definition }) => {
    const operation = document.paths[definition.path.replace(/:(\w+)/g, '{$1}')]?.[definition.method.toLowerCase()]
    expect(operation?.summary).toBe(definition.summary)
    expect(operation?.security).toEqual(definition.needs === 'nothing' ? [] : [{ bearer: [] }])
    expect(operation?.responses['200']?.content?.['application/json'].schema).toMatchObject({ required: ['data'] })
    for (const parameter of operation?.parameters.filter((one) => one.in === 'path') ?? [])
      expect(definition.path).toContain(`:${parameter.name}`)
    if (definition.body)
      expect(operation?.requestBody).toMatchObject({
        required: true,
        content: { 'application/json': { schema: { additionalProperties: false } } },
      })
  })

  it('says of each call whom it is for, which values it needs, and how it may be refused [7.01]', async () => {
    const html = (await server.app.inject({ method: 'GET', url: '/api/docs' })).body
    const of = (path: string, method: string) => document.paths[path]?.[method] as Operation & { description: string }
    const refusals = ({ responses }: Operation) =>
      Object.keys(responses).filter((status) => status === '401' || status === '403')
    for (const [path, method, rights, shown, refused] of [
      ['/account/login', 'post', 'Open to everyone.', 'everybody', []],
      ['/account/profile', 'get', 'Needs a session.', 'any session', ['401', '403']],
      ['/Scan/list', 'get', 'Needs Scan/List.', 'Scan/List', ['401', '403']],
    ] as const) {
      expect([path, of(path, method).description, refusals(of(path, method))]).toEqual([path, rights, refused])
      const article = html.split('<article>').find((one) => one.includes(`${method.toUpperCase()}</span>/api${path}<`))
      expect([path, article?.includes(`For ${shown}.`)]).toEqual([path, true])
    }
    const needed = (path: string, method: string) =>
      of(path, method)
        .parameters.filter(({ required }) => required)
        .map(({ name }) => name)
    expect([
      needed('/Scan/list', 'get'),
      needed('/Registration/emailAvailable', 'get'),
      needed('/businessUser/resetTemporaryPassword/{id}', 'post'),
    ]).toEqual([[], ['email'], ['id']])
  })

  it('is OpenAPI 3.1, names each operation once and refers only to what it has', () => {
    expect(document.openapi).toBe('3.1.0')
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/responses\/(\w+)"/g)].map(
      (match) => match[1] ?? '',
    )
    expect(references.every((name) => name in document.components.responses)).toBe(true)
  })

  it('has a page that runs no script', async () => {
    const page = await server.app.inject({ method: 'GET', url: '/api/docs' })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('/api/Complaint/list')
    expect(page.body).not.toContain('<script')
  })
})
