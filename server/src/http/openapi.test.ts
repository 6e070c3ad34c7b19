import { calls } from '@dmp/contract/calls'
import { startServer, type TestServer } from '../testing/server.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly object[]
  readonly parameters: readonly { name: string; in: string; required: boolean }[]
  readonly requestBody?: { required: boolean; content: { 'application/json': { schema: { additionalProperties?: boolean } } } }
  readonly responses: Readonly<Record<string, { content?: { 'application/json': { schema: unknown } }; $ref?: string }>>
}

let server: TestServer
let document: { openapi: string; paths: Record<string, Record<string, Operation>>; components: { responses: Record<string, unknown> } }
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
    for (const parameter of operation?.parameters.filter((one) => one.in === 'path') ?? []) expect(definition.path).toContain(`:${parameter.name}`)
    if (definition.body) expect(operation?.requestBody).toMatchObject({ required: true, content: { 'application/json': { schema: { additionalProperties: false } } } })
  })

  it('is OpenAPI 3.1, names each operation once and refers only to what it has', () => {
    expect(document.openapi).toBe('3.1.0')
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId))
    expect(new Set(ids).size).toBe(ids.length)
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/responses\/(\w+)"/g)].map((match) => match[1] ?? '')
    expect(references.every((name) => name in document.components.responses)).toBe(true)
  })

  it('has a page that runs no script', async () => {
    const page = await server.app.inject({ method: 'GET', url: '/api/docs' })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain('/api/Complaint/list')
    expect(page.body).not.toContain('<script')
  })
})
