import { randomBytes } from 'node:crypto'
import type { Permission } from '@dmp/contract'
import { permissionsOfScope, type NewApiToken, type ScopeName } from '@dmp/contract/apiToken'
import { northClinic, southClinic } from '@dmp/contract/examples'
import type { InjectOptions } from 'fastify'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { signMachineAccessToken } from '../../identity/machineAccessToken.ts'
import { startServerWithDoors, type Door } from '../../testing/doors.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { basic, makeApiToken, wayNames, ways, type Way } from './apiTokenInTests.ts'
import { instance, series, serviceDoors, study, toRequest, type ServiceDoor } from './serviceDoorsInTests.ts'

let server: TestServer
let doors: readonly Door[]
let admin: SignedIn
beforeAll(async () => {
  ;({ server, doors } = await startServerWithDoors())
  admin = await server.signIn('admin')
  const uids = { '00080018': text('UI', instance), '0020000D': text('UI', study), '0020000E': text('UI', series) }
  expect((await stow(server, admin, [dicomFile({ elements: slice(uids) })])).statusCode).toBe(200)
})
afterAll(() => server.close())

const ask = (door: Pick<ServiceDoor, 'method' | 'path'>, authorization: string, remoteAddress = '127.0.0.1') =>
  server.app.inject({ ...toRequest(door), remoteAddress, headers: { authorization } })

const scopeSets: readonly (readonly ScopeName[])[] = [
  ['read'],
  ['upload'],
  ['delete'],
  ['read', 'upload'],
  ['read', 'upload', 'delete'],
]
const scopeCases = scopeSets.flatMap((scopes) =>
  serviceDoors.map((door) => [scopes.join('+'), door.name, door] as const),
)

describe('scopes', () => {
  const secrets = new Map<string, readonly string[]>()
  beforeAll(async () => {
    for (const scopes of scopeSets) {
      const token = await makeApiToken(admin, { scopes })
      secrets.set(scopes.join('+'), await Promise.all(wayNames.map((way) => ways[way](server, token))))
    }
  })

  it.each(scopeCases)(
    '%s: %s is open for what they hold, closed for all else [P01, P35]',
    async (scopes, _name, door) => {
      const isHeld = scopes
        .split('+')
        .some((scope) => permissionsOfScope[scope as ScopeName].some(({ action }) => action === door.action))
      for (const authorization of secrets.get(scopes) ?? []) {
        const { statusCode } = await ask(door, authorization)
        if (isHeld) expect([401, 403, 500]).not.toContain(statusCode)
        else expect(statusCode).toBe(403)
        if (isHeld && door.method === 'GET') expect(statusCode).toBe(200)
      }
    },
  )
})

const change = async (token: NewApiToken, values: Record<string, unknown>) => {
  await server.deps.db.updateTable('api_tokens').set(values).where('id', '=', token.id).execute()
  server.deps.bus.publish({ kind: 'apiTokensEnded', tokenIds: [token.id] })
}
const ofOwner = async (values: Record<string, unknown>) => {
  await server.deps.db.updateTable('users').set(values).where('id', '=', admin.userId).execute()
  server.deps.bus.publish({ kind: 'viewersChanged', userIds: [admin.userId] })
}
const ofOrganization = async (status: 'Activated' | 'Deactivated') => {
  await server.deps.db.updateTable('organizations').set({ status }).where('id', '=', northClinic.id).execute()
  server.deps.bus.publish({ kind: 'viewersChanged', organizationIds: [northClinic.id] })
}
const cut = (authorization: string): string =>
  authorization.startsWith('Basic')
    ? basic('orthanc', Buffer.from(authorization.slice(6), 'base64').toString().slice('orthanc:'.length, -1))
    : authorization.slice(0, -2)

/** What may become of a token that was good a moment ago, or who may have it, and the answer at every door. */
const spoilt: Readonly<
  Record<
    string,
    {
      readonly spoil?: (token: NewApiToken) => Promise<unknown>
      readonly repair?: () => Promise<unknown>
      readonly authorization?: (good: string) => string
      readonly from?: string
      readonly status: number
    }
  >
> = {
  ended: { spoil: (token) => server.app.inject(endRequest(token)), status: 401 },
  expired: { spoil: (token) => change(token, { expires_date: new Date(Date.now() - 1000) }), status: 401 },
  'of a deactivated owner': {
    spoil: () => ofOwner({ status: 'Deactivated' }),
    repair: () => ofOwner({ status: 'Activated' }),
    status: 401,
  },
  'of an owner who lost the right to it': {
    spoil: () => ofOwner({ role: 'staff' }),
    repair: () => ofOwner({ role: 'admin' }),
    status: 401,
  },
  'of an owner who is with another organization now': {
    spoil: () => ofOwner({ organization_id: southClinic.id }),
    repair: () => ofOwner({ organization_id: northClinic.id }),
    status: 401,
  },
  'of a deactivated organization': {
    spoil: () => ofOrganization('Deactivated'),
    repair: () => ofOrganization('Activated'),
    status: 401,
  },
  'replaced by another secret': {
    spoil: (token) => change(token, { hash: randomBytes(32).toString('hex') }),
    status: 401,
  },
  'cut short': { authorization: cut, status: 401 },
  'shown in another form': { authorization: (good) => good.replace(/^\w+/, 'Token'), status: 401 },
  'used from another address': { from: '198.51.100.7', status: 403 },
  'used from another address, as IPv6': { from: '2001:db8::7', status: 403 },
}
const endRequest = ({ id }: NewApiToken): InjectOptions => ({
  method: 'PUT',
  url: `/api/ApiToken/end/${id}`,
  headers: { ...admin.headers },
})
const spoiltCases = Object.keys(spoilt).flatMap((state) => wayNames.map((way) => [state, way] as const))
/** An access token holds no secret that could be replaced; it is checked by its signature. */
const isElsewhere = (state: string, way: Way): boolean =>
  state === 'replaced by another secret' && way === 'client credentials'

describe('a token that is', () => {
  it.each(spoiltCases.filter(([state, way]) => !isElsewhere(state, way)))(
    '%s, as %s, opens no door any more [P01, P35]',
    async (state, way) => {
      const {
        spoil,
        repair,
        authorization = (good: string) => good,
        from = '127.0.0.1',
        status,
      } = spoilt[state] ?? {
        status: 0,
      }
      const token = await makeApiToken(admin, { addresses: ['127.0.0.1', '10.1.0.0/16'] })
      const good = await ways[way](server, token)
      const search = { method: 'GET', path: '/dicom-web/studies' } as const
      expect((await ask(search, good)).statusCode).toBe(200)
      expect((await ask(search, good, '::ffff:10.1.2.3')).statusCode).toBe(200)
      await spoil?.(token)
      const answers = []
      for (const door of serviceDoors) {
        const reply = await ask(door, authorization(good), from)
        answers.push([door.name, reply.statusCode])
        if (status === 401)
          expect(String(reply.headers['www-authenticate'])).toMatch(
            /^Bearer realm="DMP"(, error="invalid_token")?,Basic realm=/,
          )
      }
      expect(answers).toEqual(serviceDoors.map(({ name }) => [name, status]))
      // Where no machine comes in, a good one would be told so: 403.
      const ofPeople = await ask({ method: 'GET', path: '/api/Scan/list' }, authorization(good), from)
      expect(ofPeople.statusCode).toBe(status)
      if (status === 401) expect(ofPeople.headers['www-authenticate']).toMatch(/^Bearer realm="DMP"/)
      await repair?.()
      // What was suspended goes on with the right; what ended does not.
      if (repair) expect((await ask(search, good)).statusCode).toBe(200)
    },
  )
})

describe('a machine', () => {
  const isForMachines = ({ access }: Door): boolean => access.isForMachines === true
  const fill = ({ method, url }: Door): InjectOptions => ({
    method: method as 'GET',
    url: url.replace(/:(\w+)|\*/g, 'x'),
  })

  it.each(wayNames)(
    'gets in by %s at no door of the page, of people or of the live channel [P01, P35]',
    async (way) => {
      const authorization = await ways[way](server, await makeApiToken(admin))
      const closed = doors.filter((door) => door.access.needs !== 'nothing' && !isForMachines(door))
      const wrong = []
      for (const door of closed) {
        const { statusCode, headers } = await server.app.inject({ ...fill(door), headers: { authorization } })
        if (statusCode !== 403 || headers['www-authenticate'] !== undefined) wrong.push([door.name, statusCode])
      }
      expect(wrong).toEqual([])
      const list = await server.app.inject({ url: '/api/Complaint/list', headers: { authorization } })
      expect(list.json()).toMatchObject({
        code: 'NOT_ALLOWED',
        message: expect.stringMatching(/people who sign in.*API tokens open DICOMweb/) as unknown,
      })
      expect(closed.length).toBeGreaterThan(70)
      const [, secret = ''] = authorization.split(' ')
      expect([await server.deps.viewers.of(secret), server.deps.viewers.expiryOf(secret)]).toEqual([
        undefined,
        undefined,
      ])
    },
  )

  it('finds every other door open to its scopes: those of scans, of monitors and of releases', () => {
    const open = doors.filter(isForMachines)
    const known = [
      '/dicom-web',
      '/api/Scan/uploads',
      '/api/Changes',
      '/api/Station/tell',
      '/api/Release/addRound',
      '/api/Release/judgeRound',
      ...[
        'publish',
        'sign',
        'judge',
        'getPart',
        'listErrors',
        'addMaps',
        'getHost',
        'addDrawn',
        'getFigures',
        'setBudgets',
        'getNotices',
        'switchNotices',
        'preview',
        'endPreviews',
        'listPreviews',
        'activate',
        'startCanary',
        'promoteCanary',
        'stopCanary',
        'rollback',
      ].map((name) => `/api/Release/${name}`),
    ]
    expect(open.filter(({ url }) => !known.some((root) => url.startsWith(root))).map(({ url }) => url)).toEqual([])
    // No call needs this one: it widens what `activate` and `canary` may.
    expect(new Set(['Uncheck', ...open.map(({ access }) => (access.needs as Permission).action)])).toEqual(
      new Set(Object.values(permissionsOfScope).flatMap((held) => held.map(({ action }) => action))),
    )
  })

  it.each(serviceDoors)(
    'is told of a foreign organization as of one that nobody has: $name [P02, P35]',
    async (door) => {
      const token = await makeApiToken(admin)
      const unknown = '00000000-0000-4000-8000-00000000dead'
      const answers = []
      for (const organizationId of [southClinic.id, unknown]) {
        const reply = await server.app.inject({
          ...toRequest(door, organizationId),
          headers: { authorization: `Bearer ${token.token}` },
        })
        answers.push([reply.statusCode, reply.body.replace(/"requestId":"[^"]*"/, '')])
      }
      expect(answers[0]).toEqual(answers[1])
      expect(answers[0]?.[0]).toBe(404)
    },
  )

  it('cannot widen its scopes, not even by an access token that says more [P01, P35]', async () => {
    const token = await makeApiToken(admin, { scopes: ['read'] })
    const wide = await signMachineAccessToken(
      server.deps.keys,
      { apiTokenId: token.id, scopes: ['read', 'upload', 'delete'] },
      new Date(Date.now() + 60_000),
    )
    const statuses = []
    for (const door of serviceDoors.filter(({ action }) => action === 'Upload' || action === 'Delete'))
      statuses.push((await ask(door, `Bearer ${wide}`)).statusCode)
    expect(new Set(statuses)).toEqual(new Set([403]))
    expect((await ask({ method: 'GET', path: '/dicom-web/studies' }, `Bearer ${wide}`)).statusCode).toBe(200)
  })
})
