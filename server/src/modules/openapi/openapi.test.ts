import { Validator } from '@seriousme/openapi-schema-validator'
import { calls } from '@dmp/contract/calls'
import { aChange } from '@dmp/contract/examples'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as v from 'valibot'
import { errorCodes } from '../../core/errorCodes.ts'
import { startServerWithDoors, type Door } from '../../testing/doors.ts'
import type { TestServer } from '../../testing/server.ts'
import { ChangeMessage, changePayload } from '../webhook/payload.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly object[]
  readonly parameters: readonly { name: string; in: string; required: boolean; $ref?: string }[]
  readonly requestBody?: { required: boolean; content: { 'application/json': { schema: { $ref?: string } } } }
  readonly responses: Readonly<Record<string, { content?: { 'application/json': { schema: unknown } }; $ref?: string }>>
  readonly 'x-rate-limits'?: unknown
}
interface OpenApi {
  readonly openapi: string
  readonly servers: readonly { url: string }[]
  readonly paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>
  readonly components: Record<string, Record<string, { readonly examples?: readonly unknown[] }>>
  readonly 'x-error-codes': Record<string, { statuses: number[] }>
}

let server: TestServer
let doors: readonly Door[]
let text: string
let document: OpenApi
let html: string
beforeAll(async () => {
  ;({ server, doors } = await startServerWithDoors({ DMP_PUBLIC_URL: 'https://dmp.clinic.example' }))
  const get = async (url: string) =>
    (await server.app.inject({ method: 'GET', url, headers: { host: 'dmp.clinic.example' } })).body
  text = await get('/api/openapi.json')
  document = JSON.parse(text)
  html = await get('/api/docs')
})
afterAll(() => server.close())

const of = (path: string, method: string): Operation => document.paths[path]?.[method] as Operation
const operations = (): Operation[] =>
  Object.values(document.paths).flatMap((methods) =>
    Object.values({ ...methods, servers: undefined }).flatMap(isOperation),
  )
const isOperation = (one: Operation | undefined): Operation[] => (one ? [one] : [])

describe('the API document', () => {
  it.each(calls.map((call) => [call.name, call] as const))('describes %s [7.01]', (_name, { definition }) => {
    const operation = of(definition.path.replace(/:(\w+)/g, '{$1}'), definition.method.toLowerCase())
    expect(operation.summary).toBe(definition.summary)
    const opened = operation.security.map((one) => Object.keys(one)[0])
    const machines = ['apiToken', 'apiTokenAsPassword', 'clientCredentials']
    expect(opened).toEqual(
      definition.needs === 'nothing' ? [] : ['session', ...(definition.isForMachines ? machines : [])],
    )
    expect(operation.responses['200']?.content?.['application/json'].schema).toMatchObject({ required: ['data'] })
    for (const parameter of operation.parameters.filter((one) => one.in === 'path'))
      expect(definition.path).toContain(`:${parameter.name}`)
    if (definition.body) expect(operation.requestBody?.required).toBe(true)
  })

  it('takes no property that a call does not have [7.01]', () => {
    const schemas = document.components.schemas as Record<string, { additionalProperties?: boolean }>
    for (const { requestBody, operationId } of operations()) {
      const schema = requestBody?.content['application/json']?.schema as
        | { $ref?: string; additionalProperties?: boolean }
        | undefined
      const found = schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']
      if (found && !operationId.startsWith('webhooks'))
        expect([operationId, found.additionalProperties]).toEqual([operationId, false])
    }
  })

  it('says of each call whom it is for, which values it needs, and how it may be refused [7.01]', () => {
    const refusals = ({ responses }: Operation) =>
      Object.keys(responses).filter((status) => status === '401' || status === '403')
    for (const [path, method, rights, refused] of [
      ['/account/login', 'post', 'Open to everyone.', []],
      ['/account/profile', 'get', 'Needs a session.', ['401', '403']],
      ['/Scan/list', 'get', 'Needs Scan/List.', ['401', '403']],
    ] as const) {
      expect([path, of(path, method).description.startsWith(rights), refusals(of(path, method))]).toEqual([
        path,
        true,
        refused,
      ])
      const article = html.split('<article>').find((one) => one.includes(`${method.toUpperCase()}</span>/api${path}<`))
      expect([path, article?.includes(rights)]).toEqual([path, true])
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

  it('is valid OpenAPI 3.1, names each operation once and refers only to what it has [7.01, P60]', async () => {
    expect(await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    })
    expect(document.openapi).toBe('3.1.0')
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const missing = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g)].filter(
      ([, kind = '', name = '']) => !(name in (document.components[kind] ?? {})),
    )
    expect(missing).toEqual([])
  })

  it('has each route that programs may use, at the address where it is [7.01, P60]', () => {
    const isForPages = (url: string): boolean =>
      /^\/(?:healthz|readyz|launch|\.well-known|dev\/|downloads\/|api\/docs|api\/openapi|api\/(?:Scan\/downloads|Organization\/exports)\/)/.test(
        url,
      )
    const described = new Set(
      Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} ${new URL((servers ?? document.servers)[0]?.url + path).pathname}`,
        ),
      ),
    )
    const routed = doors
      .filter(({ url, method }) => /^\/(?:api|dicom-web|live)\b/.test(url) && !isForPages(url) && method !== 'QUERY')
      .map(({ method, url }) => [method, url, encodeURI(url.replace(/:(\w+)/g, '{$1}'))] as const)
      .filter(
        ([method, url]) =>
          !(
            method === 'HEAD' &&
            described.has(`GET ${encodeURI(url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'))}`)
          ),
      )
      .filter(([, url]) => !['/api/*', '/dicom-web', '/dicom-web/*'].includes(url))
      .map(([method, , address]) => `${method} ${address.replace(/\*$/, '%7Bpath%7D')}`)
    expect(routed.filter((name) => !described.has(name))).toEqual([])
    expect(routed.length).toBeGreaterThan(150)
  })

  it('says what opens a route as the route itself does [7.01, P60]', () => {
    const security = (path: string, method: string) => of(path, method).security.map((one) => Object.keys(one)[0])
    expect(security('/dicom-web/studies', 'get')).toEqual([
      'session',
      'apiToken',
      'apiTokenAsPassword',
      'clientCredentials',
      'launch',
    ])
    expect(security('/dicom-web/shared/{share}/studies', 'get')).toEqual(['visit'])
    expect(security('/Scan/uploads', 'post')).toEqual([
      'session',
      'apiToken',
      'apiTokenAsPassword',
      'clientCredentials',
    ])
    expect(security('/Scan/uploads', 'options')).toEqual([])
  })

  it('says what each code means, and when to try again [7.01, P60]', () => {
    expect(Object.keys(document['x-error-codes']).sort()).toEqual(Object.keys(errorCodes).sort())
    for (const code of Object.keys(errorCodes)) expect(html).toContain(`<code>${code}</code>`)
    for (const { operationId, responses } of operations())
      if (operationId !== 'webhooks.change')
        expect([operationId, responses['429']?.$ref]).toEqual([operationId, '#/components/responses/TooMany'])
    expect(document.components.responses?.TooMany).toMatchObject({ headers: { 'Retry-After': expect.anything() } })
    expect(of('/account/forgotPassword', 'post')['x-rate-limits']).toEqual([
      { calls: 20, seconds: 900, per: 'address' },
    ])
    expect(html).toContain('20 in 15 minutes per address')
  })

  it('has examples that are valid by its own schemas [7.01, P60]', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }))
    ajv.addSchema(document, 'document')
    const schemas = Object.entries(document.components.schemas ?? {})
    const examples = schemas.flatMap(([name, { examples: all = [] }]) => all.map((example) => [name, example] as const))
    expect(examples.length).toBeGreaterThan(40)
    const problems = examples.flatMap(([name, example]) =>
      ajv.validate(`document#/components/schemas/${name}`, example) ? [] : [[name, ajv.errorsText()]],
    )
    expect(problems).toEqual([])
    // And the check would tell.
    expect(ajv.validate('document#/components/schemas/ScanRow', { studyUID: 1 })).toBe(false)
  })

  it('describes real answers: each list and figure that a super administrator can ask for fits [7.01, P60]', async () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(document, 'document')
    const { headers } = await server.signIn('super_admin')
    const asked = calls.filter(({ definition }) => {
      const operation = of(definition.path, 'get')
      return definition.method === 'GET' && !operation?.parameters.some(({ required }) => required)
    })
    const problems: unknown[] = []
    let answered = 0
    for (const { name, definition } of asked) {
      const reply = await server.app.inject({
        url: `/api${definition.path}`,
        headers: { ...headers, host: 'dmp.clinic.example' },
      })
      const isDone = reply.statusCode === 200
      answered += Number(isDone)
      const place = `document#/paths/${definition.path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`
      const schema = isDone ? place : 'document#/components/schemas/Problem'
      if (!ajv.validate(schema, reply.json())) problems.push([name, reply.statusCode, ajv.errorsText()])
    }
    expect(problems).toEqual([])
    expect(answered).toBeGreaterThan(25)
  })

  it('describes the messages of webhooks as they are sent', () => {
    const sent = JSON.parse(changePayload('https://dmp.clinic.example', aChange()))
    expect(v.parse(ChangeMessage, sent)).toEqual(sent)
  })

  it('stays small enough to load at once, and is made once', async () => {
    expect(text.length).toBeLessThan(512 * 1024)
    expect(html.length).toBeLessThan(1024 * 1024)
    const again = await server.app.inject({ url: '/api/openapi.json', headers: { host: 'dmp.clinic.example' } })
    expect(again.body).toBe(text)
  })
})

describe('its page', () => {
  it('runs no script', async () => {
    const page = await server.app.inject({ url: '/api/docs', headers: { host: 'dmp.clinic.example' } })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).not.toContain('<script')
    expect(page.body).not.toContain('style="')
  })

  it('shows every operation and every schema, and its links lead somewhere', () => {
    expect(html.split('<article>').length - 1).toBe(operations().length + 1)
    for (const name of [
      '/api/Complaint/list',
      '/dicom-web/studies/{study}/metadata',
      '/api/Scan/uploads/{id}',
      '/live',
    ])
      expect(html).toContain(`</span>${name}<`)
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const broken = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id))
    expect(broken).toEqual([])
  })
})
