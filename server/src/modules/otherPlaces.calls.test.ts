import { permits, type Endpoint } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { toPolicy } from '@dmp/contract/policy'
import type { InjectOptions } from 'fastify'
import { asImage, aPicture } from '../testing/pictures.ts'
import { listKeys, toRequest, type CallRequest } from '../testing/request.ts'
import type { TestServer } from '../testing/server.ts'
import { ownInput } from './callInputsInTests.ts'
import { fingerprint, overridingHeaders, startWithCustomers, type Customer } from './otherPlacesInTests.ts'
import { addDestination, addThings, type Things } from './ownThingsInTests.ts'
import { startReceiver, type Receiver } from './webhook/webhookInTests.ts'

/**
 * Promise P02, made from the contract: South's administrator makes each call about what South has, and names in every
 * other place what North has. The answer is a refusal for that place, or the one that an unknown id gets there.
 */
let server: TestServer
let receiver: Receiver
let south: Customer
let north: Customer
let own: Things
let foreign: Things
let more: Readonly<Record<string, unknown>>
let untouched: Record<string, string>
beforeAll(async () => {
  receiver = await startReceiver()
  ;({ server, south, north } = await startWithCustomers({ DMP_WEBHOOK_HOSTS: '127.0.0.1', DMP_LOG_LEVEL: 'warn' }))
  const root = await server.signIn('super_admin')
  await addDestination(root)
  own = await addThings({ server, root, receiver, customer: south })
  foreign = await addThings({ server, root, receiver, customer: north })
  more = { url: receiver.url, imageData: asImage(await aPicture().png().toBuffer(), 'image/png') }
  untouched = await theirState()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const theirState = () => fingerprint(server, north.organizationId, Object.values(foreign))

const policy = toPolicy('admin')
const mayMake = ({ definition: { needs } }: Endpoint): boolean => permits(policy, needs)
const isReading = ({ definition: { method } }: Endpoint): boolean => method === 'GET'

const unknownUuid = '00000000-0000-4000-8000-00000000dead'
/** An id of the same form that is nobody's. */
const unknownLike = (id: string): string =>
  /^[0-9.]+$/.test(id) ? '1.99.404' : id.length === unknownUuid.length ? unknownUuid : '0'.repeat(id.length)

interface Said {
  readonly status: number
  readonly body: string
  readonly fields: readonly string[]
}
/** What South has named of North so far. */
const sent = new Set<string>()

/** Sends it as South's administrator; of North nothing may come back, whatever else does. */
async function send({ method, url, payload }: CallRequest, headers: Record<string, string> = {}): Promise<Said> {
  const options: InjectOptions = { method, url, headers: { ...south.who.headers, ...headers } }
  const reply = await server.app.inject({ ...options, ...(payload && { payload }) })
  const secrets = [...Object.values(foreign), north.patient]
  for (const secret of secrets) if (JSON.stringify([url, payload, headers]).includes(secret)) sent.add(secret)
  // The own audit trail says what one tried.
  const isTold = (secret: string): boolean => url.startsWith('/api/Audit/') && sent.has(secret)
  const shown = secrets.filter((secret) => reply.body.includes(secret) && !isTold(secret))
  expect([url, headers, payload, shown]).toEqual([url, headers, payload, []])
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  const { fields = [] } = isJson ? reply.json<{ fields?: { path: string; message: string }[] }>() : {}
  return {
    status: reply.statusCode,
    body: withoutChance(reply.body),
    fields: fields.map(({ path, message }) => `${path}: ${message}`),
  }
}

/** Without what differs between two equal answers: ids that were made, times and secrets. */
const withoutChance = (body: string): string =>
  body
    .replace(/"requestId":"[^"]*"/g, '')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')

/** What North has, by the names under which some layer might look for it. */
const foreignProperties = (): [string, string][] =>
  Object.entries({
    id: foreign['user'],
    organizationId: foreign['organizationId'],
    userId: foreign['userId'],
    seriesUID: foreign['series'],
    token: foreign['share'],
  }).map(([key, value]) => [key, value ?? ''])
/** What is declared is given twice then; of a path a property says nothing. */
const isAbout = (key: string) =>
  expect.stringMatching(new RegExp(`(^|,)(${key}: .|(query|body): This call accepts no (query|body))`))

const foreignOf = (id: string): string => foreign[Object.keys(own).find((kind) => own[kind] === id) ?? ''] ?? ''

interface Place {
  readonly path: string
  readonly own: string
  /** The whole input with another id there. */
  readonly put: (id: string) => Record<string, unknown>
}
/** Every place of an input that holds an id of one's own; in a list another one also stands behind it. */
function* placesIn(input: object, path = ''): Generator<Place> {
  const ids = new Set(Object.values(own))
  for (const [key, value] of Object.entries(input)) {
    const at = `${path}/${key}`
    const exchange = (changed: unknown): Record<string, unknown> =>
      Object.assign(Array.isArray(input) ? [...(input as unknown[])] : { ...input }, { [key]: changed })
    if (typeof value === 'string' && ids.has(value)) yield { path: at, own: value, put: exchange }
    if (typeof value !== 'object' || value === null) continue
    for (const place of placesIn(value as object, at)) {
      yield { ...place, put: (id) => exchange(place.put(id)) }
      if (Array.isArray(value))
        yield { ...place, path: `${at}/+`, put: (id) => exchange([...value, ...[place.put(id)].flat().slice(-1)]) }
    }
  }
}

/** Each with the other's id and with nobody's. */
const detours = (part: string): [string, string][] => {
  const [there, nowhere] = [foreignOf(part), unknownLike(part)]
  return ['%2F..%2F', '%252F..%252F', '/../', '/', ';id=', '%00', '%23', ','].map((between) => [
    `${part}${between}${there}`,
    `${part}${between}${nowhere}`,
  ])
}

const cases = calls.map((call) => ({ name: call.name, call }))
const ownRequest = (call: Endpoint): CallRequest => toRequest(call, ownInput(call, own, more))

describe.each(cases)('$name', ({ call }) => {
  const hasPath = Object.keys(call.definition.params?.entries ?? {}).length > 0
  it('refuses a property that names another’s, in address and body, and says which [P02, P03]', async () => {
    const { method, url, payload } = ownRequest(call)
    const refused = mayMake(call) ? undefined : await send({ method, url, ...(payload && { payload }) })
    if (refused) expect(refused.status).toBe(403)
    const joint = url.includes('?') ? '&' : '?'
    // Who may not make it is refused before anything is read.
    for (const [key, value] of foreignProperties().slice(0, refused ? 1 : undefined)) {
      const query = new URLSearchParams([[key, value]]).toString()
      const inQuery = { method, url: `${url}${joint}${query}`, ...(payload && { payload }) }
      const inBody = { method, url, payload: { ...payload, [key]: value } }
      // A body of GET is not read at all, and what the body declares stands in it already.
      const requests = isReading(call) || listKeys(call.definition.body).includes(key) ? [inQuery] : [inQuery, inBody]
      for (const request of requests) {
        const said = await send(request)
        if (refused) expect(said).toEqual(refused)
        else expect([key, request, said.status, said.fields.join()]).toEqual([key, request, 400, isAbout(key)])
      }
    }
  })

  it('tells nobody that another’s id is one, wherever it stands instead of the own [P02]', async () => {
    const input = ownInput(call, own, more)
    for (const place of placesIn(input)) {
      // Whoever has the token of a link may open it.
      if (place.own === own['share']) continue
      const ask = async (id: string): Promise<Said> => {
        const said = await send(toRequest(call, place.put(id)))
        // What is done twice is not said in the same words.
        const isDone = said.status < 300 && !isReading(call)
        return { ...said, body: isDone ? '' : said.body.replaceAll(id, '<it>') }
      }
      const unknown = await ask(unknownLike(place.own))
      expect([place.path, await ask(foreignOf(place.own))]).toEqual([place.path, unknown])
    }
  })

  if (hasPath)
    it('takes no address that leads elsewhere once it is decoded [P02, P16]', async () => {
      const { method, url, payload } = ownRequest(call)
      for (const part of new Set(Object.values(own).filter((value) => url.includes(`/${value}`))))
        for (const [toForeign, toUnknown] of detours(part)) {
          const at = (detour: string) => ({ method, url: url.replace(part, detour), ...(payload && { payload }) })
          const said = await send(at(toForeign))
          expect([toForeign, said]).toEqual([toForeign, await send(at(toUnknown))])
          expect([toForeign, said.status >= 400 && said.status < 500]).toEqual([toForeign, true])
        }
    })
})

it('and nothing of the other changed by any of this [P02]', async () => {
  expect(await theirState()).toEqual(untouched)
})

/** What a call says of its own input, where that is not 200: secrets that nobody has, and what this server lacks. */
const otherwise: Readonly<Record<string, readonly number[]>> = {
  'POST /account/addFirstAdministrator': [400],
  'POST /account/checkSetupLink': [400],
  'PUT /account/changePassword': [400],
  'POST /account/login': [401],
  'POST /account/renewToken': [401],
  'POST /account/resetForgotPassword': [400],
  'POST /account/respondToMFA': [401],
  'POST /account/setNewPassword': [401],
  'POST /ApiToken/approveDevice': [400],
  'POST /ApiToken/denyDevice': [400],
  'POST /ApiToken/getDevice': [400],
  'GET /Release/getPreview': [404],
  'POST /Release/openPreview': [404],
  'GET /Scan/getResult': [404],
  'POST /Scan/sendShareCode': [404],
  'POST /account/signOutSession/:id': [404],
  // Nothing was noticed yet.
  'GET /Audit/getAlert': [404],
  'PUT /Audit/acknowledgeAlert/:id': [404],
  'POST /Organization/downloadExport/:id': [404],
  'PUT /Organization/endExport/:id': [404],
  'PUT /Organization/endImport/:id': [404],
  'PUT /Scan/decideHeld/:id': [409],
  // As long as no uploader was built here.
  'POST /Scan/getUploader/:organizationId': [200, 503],
}
const expected = (call: Endpoint): readonly number[] => (mayMake(call) ? (otherwise[call.name] ?? [200]) : [403])

/** What some calls take away comes last. */
const last = [
  'PUT /businessUser/activateUser/:id',
  'POST /businessUser/resetTemporaryPassword/:id',
  'PUT /Webhook/pause/:id',
  'PUT /Webhook/resume/:id',
]
const rank = ({ name }: Endpoint): number => {
  if (!name.startsWith('DELETE ')) return last.indexOf(name)
  // With a scan go its links.
  return name.startsWith('DELETE /Scan/delete') ? last.length + 1 : last.length
}

/** By now each call has been refused in every form; those that change something now do it, whatever the headers say. */
describe('headers that other programs obey', () => {
  const isPlain = (call: Endpoint): boolean => isReading(call) || !mayMake(call)
  const changing = cases.filter(({ call }) => !isPlain(call)).sort((a, b) => rank(a.call) - rank(b.call))

  it.each(cases.filter(({ call }) => isPlain(call)))('change no answer of $name [P02]', async ({ call }) => {
    const plain = await send(ownRequest(call))
    expect([plain, expected(call)]).toEqual([plain, expect.arrayContaining([plain.status])])
    expect(await send(ownRequest(call), headersFor(call))).toEqual(plain)
  })

  it.each(changing)('lead $name nowhere else [P02]', async ({ call }) => {
    const said = await send(ownRequest(call), headersFor(call))
    expect([said, expected(call)]).toEqual([said, expect.arrayContaining([said.status])])
  })
})

/** All of them at once. */
const headersFor = (call: Endpoint): Record<string, string> =>
  Object.assign(
    {},
    ...overridingHeaders('DELETE', toRequest(call, ownInput(call, foreign, more)).url, north.organizationId),
  ) as Record<string, string>

it('and nothing of the other changed by these either [P02]', async () => {
  expect(await theirState()).toEqual(untouched)
})
