import { permits, roleNames, scan, type Permission } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { northClinic } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import Fastify, { type InjectOptions } from 'fastify'
import { requireAccessOfRoutes } from '../core/access.ts'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { signAccessToken } from '../identity/accessToken.ts'
import { startServerWithDoors, type Door } from '../testing/doors.ts'
import type { SignedIn, TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'

/** Who stands at every door; a deactivated person holds a token that was good a moment ago. */
const viewers = [...roleNames, 'foreign', 'reading token'] as const
type Who = (typeof viewers)[number] | 'stranger' | 'deactivated'

const [study, series, instance] = ['1.95', '1.95.1', '1.95.1.1']
const unknown = '1.95.404'
const unknownImageSet = '0'.repeat(32)
let server: TestServer
let doors: readonly Door[]
const headers = new Map<Who, Record<string, string>>()
let imageSetId = ''

beforeAll(async () => {
  ;({ server, doors } = await startServerWithDoors({ DMP_LIVE_VALIDATE_SECONDS: '3600' }))
  const staff = await server.signIn('staff')
  await openStudy(staff)
  for (const role of roleNames) headers.set(role, await bearer(role))
  headers.set('foreign', await bearer('admin@south.example'))
  headers.set('stranger', {})
  const claims = JSON.parse(Buffer.from(staff.tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString())
  const reading = { userId: staff.userId, sessionId: claims.sid as string, scope: 'scan-read' } as const
  headers.set('reading token', {
    authorization: `Bearer ${(await signAccessToken(server.deps.keys, reading, 600)).token}`,
  })
  headers.set('deactivated', await deactivate())
})
afterAll(() => server.close())

const bearer = async (who: string): Promise<Record<string, string>> => ({ ...(await server.signIn(who)).headers })

async function openStudy(staff: SignedIn): Promise<void> {
  const uids = { '00080018': text('UI', instance), '0020000D': text('UI', study), '0020000E': text('UI', series) }
  expect((await stow(server, staff, [dicomFile({ elements: slice(uids) })])).statusCode).toBe(200)
  const { data } = await staff.call(scan.get, { organizationId: northClinic.id, seriesUID: series })
  imageSetId = data.advanced.imageSetID ?? ''
}

/** A colleague of staff, whose token was good a moment ago. */
async function deactivate(): Promise<Record<string, string>> {
  const { db, bus } = server.deps
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('email', '=', 'staff@north.example')
    .executeTakeFirstOrThrow()
  const colleague = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('organization_id', '=', northClinic.id)
    .where('status', '=', 'Activated')
    .where('role', '=', 'staff')
    .where('email', '!=', 'staff@north.example')
    .executeTakeFirstOrThrow()
  await db.updateTable('users').set({ password_hash, mfa_enabled: false }).where('id', '=', colleague.id).execute()
  const left = await bearer(colleague.email)
  expect((await server.app.inject({ url: '/dicom-web/studies', headers: left })).statusCode).toBe(200)
  await db.updateTable('users').set({ status: 'Deactivated' }).where('id', '=', colleague.id).execute()
  bus.publish({ kind: 'viewersChanged', userIds: [colleague.id] })
  return left
}

const contractNames = new Set(calls.map(({ definition: { method, path } }) => `${method} /api${path}`))
/** A call of the contract gets a field that no call has: who is admitted gets 400, and nothing is changed. */
const isContractCall = ({ method, url }: Door): boolean =>
  contractNames.has(`${method === 'HEAD' ? 'GET' : method} ${url}`)

const real: Readonly<Record<string, string>> = { study, series, instance, frames: '1', '*': '7FE00010' }
const nowhere: Readonly<Record<string, string>> = { ...real, study: unknown, series: unknown, instance: unknown }

function toRequest(door: Door, values = real, organizationId?: string): InjectOptions {
  // Whoever is admitted finds nothing to delete.
  const there = door.method === 'DELETE' ? nowhere : values
  const path = door.url.replace(/:(\w+)|\*/g, (found, name = found) => there[name] ?? 'x')
  const query = new URLSearchParams(organizationId === undefined ? {} : { organizationId })
  if (isContractCall(door)) query.set('notAField', '1')
  const url = query.size === 0 ? path : `${path}?${query}`
  const method = door.method as 'POST'
  if (isContractCall(door) || !['POST', 'PUT', 'PATCH'].includes(method)) return { method, url }
  if (door.url === '/launch')
    return { method, url, payload: { imageSetID: values === real ? imageSetId : unknownImageSet } }
  return { method, url }
}

async function ask(door: Door, who: Who, values = real, organizationId?: string) {
  const request = toRequest(door, values, organizationId)
  const reply = await server.app.inject({ ...request, headers: { ...headers.get(who) } })
  return { status: reply.statusCode, text: reply.body.replace(/"requestId":"[^"]*"/, ''), headers: reply.headers }
}

function isAdmitted({ access: { needs }, method, name, url }: Door, who: (typeof viewers)[number]): boolean {
  if (who !== 'reading token') return permits(toPolicy(who === 'foreign' ? 'admin' : who), needs)
  if (needs === 'session') return name.endsWith(' /api/account/validateToken')
  const { module, action } = needs as Permission
  // It changes nothing; a launch only gives the browser what the token reads anyway.
  const isReading = method === 'GET' || method === 'HEAD' || url === '/launch'
  return isReading && module === 'Scan' && ['List', 'Get', 'Download'].includes(action)
}

it('finds every call of the contract and every other door among what is really routed', () => {
  const names = new Set(doors.map(({ name }) => name))
  expect([...contractNames].filter((name) => !names.has(name))).toEqual([])
  const others = doors.filter((door) => !isContractCall(door)).map(({ url }) => url)
  for (const url of [
    '/live',
    '/launch',
    '/api/Scan/uploads',
    '/api/Scan/downloads/:token',
    '/api/Organization/exports/:token',
    '/api/Organization/imports/:id',
    '/healthz',
    '/dev/mail',
    '/*',
  ])
    expect(others).toContain(url)
  expect(doors.length).toBeGreaterThan(150)
})

it('adds no route that does not say who may enter', () => {
  const app = Fastify()
  requireAccessOfRoutes(app)
  expect(() => app.get('/forgotten', async () => 'x')).toThrow('does not say who may enter')
})

it('declares for each call of the contract what the contract says, and nothing more open', () => {
  for (const { name, definition } of calls) {
    const door = doors.find(({ method, url }) => method === definition.method && url === `/api${definition.path}`)
    expect([name, door?.access.needs]).toEqual([name, definition.needs])
  }
})

/** One test per kind of viewer: a row of the matrix would be a thousand titles. */
describe('the matrix of rights', () => {
  it.each(['stranger', 'deactivated'] as const)(
    'keeps a %s out of every door that needs a session [P01, 4.03]',
    async (who) => {
      const tried = doors.filter(({ access }) => access.needs !== 'nothing')
      const answers = await Promise.all(tried.map(async (door) => [door.name, (await ask(door, who)).status]))
      expect(answers).toEqual(tried.map(({ name }) => [name, 401]))
    },
  )

  it.each(viewers)('lets a %s in exactly where the door says [6.02, 6.03, P01]', async (who) => {
    const wrong: unknown[] = []
    for (const door of doors.filter(({ access }) => access.needs !== 'nothing')) {
      const { status } = await ask(door, who)
      const isIn = status !== 401 && status !== 403
      if (isIn !== isAdmitted(door, who) || status >= 500) wrong.push([door.name, status])
      // What the contract lists was admitted, and then refused for the field that it does not know.
      if (isIn && isContractCall(door)) expect([door.name, status]).toEqual([door.name, 400])
    }
    expect(wrong).toEqual([])
  })

  it('answers everybody alike at the doors that are open to everybody', async () => {
    const wrong: unknown[] = []
    for (const door of doors.filter(({ access }) => access.needs === 'nothing')) {
      const statuses = new Set<number>()
      for (const who of ['stranger', 'deactivated', ...viewers] as const) statuses.add((await ask(door, who)).status)
      const [status = 0] = statuses
      const isRefused = status === 401 || (status === 403 && door.access.secret === 'none')
      if (statuses.size !== 1 || isRefused || (status >= 500 && !isPage(door))) wrong.push([door.name, [...statuses]])
    }
    expect(wrong).toEqual([])
  })
})

/** Without a release there is no page to show. */
const isPage = ({ url, name }: Door): boolean => url === '/*' || url === '/viewer/' || name.endsWith(' /readyz')

describe('walls', () => {
  const walled = () =>
    doors.filter((door) => door.access.hasWalls && door.access.secret !== 'first message' && !isContractCall(door))
  const reading = () => walled().filter(({ method }) => method === 'GET' || method === 'HEAD')

  it('show the people inside what is there', async () => {
    const shown: [string, number][] = []
    // Below the root of a share link there is something for its visitors only (sharedImages.test.ts).
    const inside = reading().filter(({ access }) => access.secret !== 'share cookie')
    for (const door of inside.filter(({ url }) => url.startsWith('/dicom-web')))
      shown.push([door.name, (await ask(door, 'staff')).status])
    expect(shown.filter(([, status]) => status !== 200)).toEqual([])
    expect(shown.length).toBeGreaterThan(30)
  })

  it('answer a foreign object and a foreign organization like unknown ones [P02]', async () => {
    const unknownOrganization = '00000000-0000-4000-8000-00000000dead'
    const told: unknown[] = []
    for (const door of walled()) {
      const [there, gone] = [await ask(door, 'foreign'), await ask(door, 'foreign', nowhere)]
      const [inNorth, inNone] = [
        await ask(door, 'foreign', real, northClinic.id),
        await ask(door, 'foreign', real, unknownOrganization),
      ]
      if (there.status !== gone.status || there.text !== gone.text || there.text.includes(study))
        told.push([door.name, there])
      if (inNorth.status !== inNone.status || inNorth.text !== inNone.text) told.push([door.name, inNorth, inNone])
    }
    expect(told).toEqual([])
    expect(walled().length).toBeGreaterThan(35)
  })
})
