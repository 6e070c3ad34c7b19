import { release } from '@dmp/contract'
import { permissionsOfScope, releaseScopes, type NewApiToken, type ReleaseScope } from '@dmp/contract/apiToken'
import { isEndpoint, type Endpoint, type Permission } from '@dmp/contract/endpoint'
import { modules } from '@dmp/contract/calls'
import type { InjectOptions } from 'fastify'
import { createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine, toArrival, tryInBrowser } from './doorInTests.ts'

/** Made from the contract: every step of a release that a machine may do, and who is let in to it (P57). */
const steps = Object.entries(modules.release as object)
  .filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]))
  .filter(([, { definition }]) => definition.isForMachines && (definition.needs as Permission).action !== 'Watch')
const stepNames = steps.map(([name]) => name)
const [mine, theirs, nobodys] = ['remote-mine', 'remote-theirs', '0123456789abcdef'] as const

let server: TestServer
let releases: TestReleases
let root: SignedIn
let arrival: Record<string, unknown>
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
  arrival = { ...(await toArrival(mine, 'one')) }
})
afterAll(() => server.close())

/** Steps that are read of a part, whatever its releases. */
const ofPart: ReadonlySet<string> = new Set([
  'getPart',
  'getHost',
  'listPreviews',
  'listErrors',
  'getFigures',
  'getNotices',
])

/** A request for a step that nothing but the caller's rights could refuse before the store is asked. */
function toRequest([name, { definition }]: [string, Endpoint], part: string): InjectOptions {
  const ref = { part, releaseId: nobodys }
  const { part: _part, ...build } = arrival
  const more: Readonly<Record<string, object>> = {
    publish: { ...build, record: { ...(build.record as object), name: part } },
    sign: { envelope: 'x' },
    addDrawn: { envelope: 'x' },
    setBudgets: { budgets: [] },
    switchNotices: { isOn: true },
    addMaps: { maps: [{ script: 'App.js', map: '' }] },
    startCanary: { ...ref, percent: 1 },
  }
  const url = `/api${definition.path.replace(':part', part).replace(':releaseId', nobodys)}`
  const { method } = definition
  if (method !== 'GET') return { method, url, payload: more[name] ?? ref }
  return { method, url: `${url}?${new URLSearchParams(ofPart.has(name) ? { part } : ref).toString()}` }
}

async function ask(
  step: [string, Endpoint],
  part: string,
  authorization: string | undefined,
  remoteAddress = '127.0.0.1',
) {
  const headers = authorization === undefined ? {} : { authorization }
  const reply = await server.app.inject({ ...toRequest(step, part), headers, remoteAddress })
  return { status: reply.statusCode, message: reply.json<{ message?: string }>().message ?? '' }
}

const stateOfStore = async (): Promise<unknown> => [
  await releases.store.list(theirs),
  (await releases.store.list('registry')).length,
]

const isHeld = (scopes: readonly ReleaseScope[], { definition }: Endpoint): boolean =>
  scopes.some((scope) =>
    permissionsOfScope[scope].some(({ action }) => action === (definition.needs as Permission).action),
  )

describe('somebody without a right to releases', () => {
  const people = ['a stranger', 'staff', 'service_user', 'admin', 'sys_admin'] as const
  const cases = people.flatMap((who) => steps.map((step) => [who, step[0], step] as const))
  it.each(cases)('%s is let in to no step: %s [P01, P57]', async (who, _name, step) => {
    const authorization = who === 'a stranger' ? undefined : (await server.signIn(who)).headers.authorization
    const before = await stateOfStore()
    expect((await ask(step, mine, authorization)).status).toBe(who === 'a stranger' ? 401 : 403)
    expect(await stateOfStore()).toEqual(before)
  })
})

describe('a token of one step', () => {
  const cases = releaseScopes
    .filter((scope) => scope !== 'unchecked')
    .flatMap((scope) => steps.map((step) => [scope, step[0], step] as const))
  const tokens = new Map<ReleaseScope, NewApiToken>()
  beforeAll(async () => {
    for (const scope of releaseScopes.filter((one) => one !== 'unchecked'))
      tokens.set(scope, await makeApiToken(root, { scopes: [scope], parts: [mine] }))
  })

  it.each(cases)('%s opens of the steps of its part what it holds: %s [P01, P57]', async (scope, _name, step) => {
    const { status } = await ask(step, mine, `Bearer ${tokens.get(scope)?.token}`)
    // 404: there is nobody yet whose mails could be switched off.
    if (isHeld([scope], step[1])) expect([200, 400, 404, 409]).toContain(status)
    else expect(status).toBe(403)
  })

  it.each(cases)('%s opens nothing of the part of another team: %s [P57]', async (scope, _name, step) => {
    const before = await stateOfStore()
    const { status, message } = await ask(step, theirs, `Bearer ${tokens.get(scope)?.token}`)
    expect(status).toBe(403)
    if (isHeld([scope], step[1])) expect(message).toBe(`This API token is for ${mine}, not for ${theirs}.`)
    expect(await stateOfStore()).toEqual(before)
  })
})

/** What may become of a token with every scope, and the answer at every step from then on. */
const spoilt: Readonly<
  Record<string, { spoil?: (token: NewApiToken) => Promise<unknown>; from?: string; cut?: true; status: number }>
> = {
  ended: {
    spoil: ({ id }) => server.app.inject({ method: 'PUT', url: `/api/ApiToken/end/${id}`, headers: root.headers }),
    status: 401,
  },
  expired: {
    spoil: ({ id }) => change(id, { expires_date: new Date(Date.now() - 1000) }),
    status: 401,
  },
  'of nobody: a character is missing': { cut: true, status: 401 },
  'stolen, and used from elsewhere': { from: '198.51.100.7', status: 403 },
  'for scans, whatever it says of parts': {
    spoil: ({ id }) => change(id, { scopes: ['read', 'upload', 'delete'] }),
    status: 403,
  },
  'for a part no longer': { spoil: ({ id }) => change(id, { parts: [] }), status: 403 },
}

async function change(id: string, values: Record<string, unknown>): Promise<void> {
  await server.deps.db.updateTable('api_tokens').set(values).where('id', '=', id).execute()
  server.deps.bus.publish({ kind: 'apiTokensEnded', tokenIds: [id] })
}

describe('a token that is', () => {
  it.each(Object.keys(spoilt))('%s opens no step any more [P01, P57]', async (state) => {
    const { spoil, from, cut, status } = spoilt[state]!
    const scopes = ['publish', 'preview', 'canary', 'activate', 'rollback'] as const
    const token = await makeApiToken(root, { scopes, parts: [mine], addresses: ['127.0.0.1'] })
    const good = `Bearer ${token.token}`
    const getPart = steps.find(([name]) => name === 'getPart')!
    expect((await ask(getPart, mine, good)).status).toBe(200)
    await spoil?.(token)
    const answers = []
    for (const step of steps)
      answers.push([step[0], (await ask(step, mine, cut ? good.slice(0, -1) : good, from)).status])
    expect(answers).toEqual(stepNames.map((name) => [name, status]))
  })

  it.each([
    ['nobody but a super administrator', 'admin', { scopes: ['publish'], parts: [mine] }, 'scopes'],
    ['nobody for releases and scans at once', 'super_admin', { scopes: ['publish', 'read'], parts: [mine] }, 'scopes'],
    ['nobody for all parts', 'super_admin', { scopes: ['publish'] }, 'parts'],
    ['nobody for a part that cannot be', 'super_admin', { scopes: ['publish'], parts: ['../host'] }, 'parts.0'],
    ['nobody for scans of a part', 'super_admin', { scopes: ['read'], parts: [mine] }, 'parts'],
    ['nobody to go unchecked and nothing else', 'super_admin', { scopes: ['unchecked'], parts: [mine] }, 'scopes'],
  ] as const)('for releases is made by %s [P01, P57]', async (_what, who, wanted, path) => {
    const person = await server.signIn(who)
    const draft = { name: 'Refused', password: 'DemoPassw0rd!', ...wanted }
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/ApiToken/add',
      headers: person.headers,
      payload: draft,
    })
    expect([reply.statusCode, reply.json<{ fields: { path: string }[] }>().fields[0]?.path]).toEqual([400, path])
  })
})

describe('the scope canary', () => {
  it('does not make a release live by giving it to everybody [P57]', async () => {
    const part = 'remote-slow'
    const tokenOf = async (...scopes: ReleaseScope[]) =>
      createMachine(server, (await makeApiToken(root, { scopes, parts: [part] })).token)
    const [publisher, canary] = [await tokenOf('publish', 'activate'), await tokenOf('canary')]
    const bring = async (code: string) => {
      const { data } = await publisher(release.publish, await toArrival(part, code))
      await tryInBrowser(releases.store, part, data.releaseId)
      return data.releaseId
    }
    await publisher(release.activate, { part, releaseId: await bring('one') })
    const releaseId = await bring('two')
    expect((await canary(release.startCanary, { part, releaseId, percent: 51 })).status).toBe(400)
    expect((await canary(release.startCanary, { part, releaseId, percent: 50 })).status).toBe(200)
    // The next step would be everybody.
    for (const more of [{}, { percent: 99 }, { percent: 100 }]) {
      const refused = await canary(release.promoteCanary, { part, releaseId, ...more })
      expect([refused.status, refused.message]).toEqual([403, expect.stringContaining('"activate"')])
    }
    expect((await canary(release.stopCanary, { part, releaseId })).status).toBe(200)
  })
})

/** Whoever holds the keys of the store does what it lets them; the server says by name what it found. */
describe('the keys of the store', () => {
  const alter = async (part: string, releaseId: string, file: string, change: (text: string) => string) => {
    const key = `${part}/${releaseId}/${file}`
    const text = (await releases.store.read(key))?.toString('utf8') ?? ''
    await releases.store.remove(key)
    await releases.store.add(key, Buffer.from(change(text)))
  }
  const bring = async (part: string) => {
    const { data } = await root.call(release.publish, await toArrival(part, 'good'))
    await tryInBrowser(releases.store, part, data.releaseId)
    return data.releaseId
  }

  it.each([
    ['a file', 'App.js', (text: string) => `${text};steal()`, 'App.js has another hash'],
    [
      'its document',
      'release.json',
      (text: string) => text.replace('"commit": "abc', '"entry2": "x", "commit": "abc'),
      'does not fit',
    ],
    [
      'the address that it claims',
      'release.json',
      (text: string) => text.replace('"/', '"/dashboard-'),
      'was altered after it was published',
    ],
    ['its calls', 'calls.json', () => '{}', 'another hash'],
  ])('make nothing live by altering %s [P43, P57]', async (_what, file, changeText, says) => {
    const part = `remote-kept${file.length}${says.length}`
    const releaseId = file === 'calls.json' ? await bringWithCalls(part) : await bring(part)
    await alter(part, releaseId, file, changeText)
    const refused = await root.call(release.activate, { part, releaseId, unchecked: 'no reason' })
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining(says)])
  })

  const bringWithCalls = async (part: string): Promise<string> => {
    const { data } = await root.call(release.publish, await toArrival(part, 'good', { calls: '{"GET /gone":0}' }))
    return data.releaseId
  }
})
