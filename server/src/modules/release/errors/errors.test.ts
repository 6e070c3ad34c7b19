import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { audit, release } from '@dmp/contract'
import type { PageError } from '@dmp/contract/releaseErrors'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { readMap } from '@dmp/release/maps'
import { aBuild } from '@dmp/release/testing/aBuild'
import { startRetention } from '../../../db/retention.ts'
import { byTests, createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine } from '../door/doorInTests.ts'
import { addRemote, type TestRemote } from '../remoteInTests.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
let releaseId: string
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
beforeEach(async () => {
  remote = await addRemote(server, releases, root)
  releaseId = await makeLive('two')
})
afterAll(() => server.close())

/** Line 1, column 11 of the script is line 4, column 3 of the source, where `rows` stands; column 21 is line 9. */
const map = { version: 3, sources: ['src/list/Table.tsx'], names: ['rows', 'load'], mappings: 'UAGEA,UAKEC' }

async function makeLive(code: string, withMap: object | undefined = map): Promise<string> {
  const dist = aBuild(remote.name, code)
  mkdirSync(path.join(dist, 'private-maps'))
  if (withMap) writeFileSync(path.join(dist, 'private-maps/App.js.map'), JSON.stringify(withMap))
  const published = await publish(releases.store, dist, { commit: 'abc' })
  await activate(releases.store, { parts: [published] }, byTests)
  return published.releaseId
}

/** What the build says of the functions of the source: `Table`, and `reload` in it. */
const functions = [
  [
    [1, 0, 20, 1, 'Table'],
    [8, 10, 10, 3, 'reload'],
  ],
]

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const inApp = (column: number) => ({ file: 'App.js', line: 1, column })
const anError = (more: Partial<PageError> = {}): PageError => ({
  part: remote.name,
  releaseId,
  name: 'TypeError',
  message: 'Cannot read properties of undefined (reading …)',
  frames: [inApp(11), inApp(21)],
  ...more,
})

async function tell(cookie: string | undefined, errors: PageError[], userAgent = firefox): Promise<number> {
  const headers = { 'user-agent': userAgent, ...(cookie === undefined ? {} : { cookie: `dmp-audience=${cookie}` }) }
  return (await server.call(release.reportErrors, { errors }, { headers })).status
}
const cookieOf = async (email: string) => (await remote.openBrowser(email)).cookie?.value
const listErrors = async () => (await root.call(release.listErrors, { part: remote.name })).data

describe('errors of a part [P84]', () => {
  it('are told by the functions around their places, where the build says them [P97]', async () => {
    releaseId = await makeLive('with functions', { ...map, functions })
    expect(await tell(await cookieOf('staff@north.example'), [anError()])).toBe(200)
    const [group] = await listErrors()
    expect(group?.stack).toMatchObject([
      { line: 4, name: 'Table' },
      { line: 9, name: 'reload' },
    ])
  })

  it('are grouped by their places in its sources, with how many people, browsers and releases met them', async () => {
    const [staff, admin] = [await cookieOf('staff@north.example'), await cookieOf('admin@south.example')]
    for (const cookie of [staff, staff, admin]) expect(await tell(cookie, [anError()])).toBe(200)
    const second = await makeLive('three')
    await tell(admin, [anError({ releaseId: second })], chrome)
    await tell(admin, [anError({ releaseId: second, frames: [inApp(21)] })])

    expect(await listErrors()).toMatchObject([
      { reports: 1, people: 1, stack: [{ file: 'src/list/Table.tsx', line: 9, column: 5, name: 'load' }] },
      {
        name: 'TypeError',
        message: 'Cannot read properties of undefined (reading …)',
        reports: 4,
        people: 2,
        stack: [
          { file: 'src/list/Table.tsx', line: 4, column: 3, name: 'rows' },
          { file: 'src/list/Table.tsx', line: 9, column: 5, name: 'load' },
        ],
        releases: [
          { releaseId, version: '1.0.0', reports: 3 },
          { releaseId: second, version: '1.0.0', reports: 1 },
        ],
        browsers: [
          { name: 'Firefox 145', reports: 3 },
          { name: 'Chrome 142', reports: 1 },
        ],
      },
    ])
  })

  it('keep their place in the script where a release has no map of it', async () => {
    releaseId = await makeLive('unmapped', undefined)
    await tell(await cookieOf('staff@north.example'), [anError({ frames: [inApp(7)] })])
    expect(await listErrors()).toMatchObject([{ stack: [{ file: 'App.js', line: 1, column: 7, name: null }] }])
  })

  it('hold nothing of a patient or a person, whatever a page tells, and the day’s people are forgotten', async () => {
    await tell(await cookieOf('staff@north.example'), [
      anError({ name: 'BergAda', message: 'BERG^ADA 1934-05-06, ada.berg@clinic.example of "Ward 7" is not iterable' }),
    ])
    const { db } = server.deps
    const kept = async () => [
      await db.selectFrom('release_errors').selectAll().execute(),
      await db.selectFrom('release_error_counts').selectAll().execute(),
    ]
    expect(JSON.stringify(await kept())).not.toMatch(/berg|ada|1934|ward|staff|north/i)
    expect(await listErrors()).toMatchObject([{ name: 'Error', message: '… of … is not iterable', people: 1 }])

    await db.updateTable('release_error_people').set({ day: '2020-01-01' }).execute()
    const retention = startRetention(db, server.deps.settings, (error) => expect(error).toBeUndefined())
    await retention.close()
    expect(await db.selectFrom('release_error_people').selectAll().execute()).toEqual([])
    expect(await listErrors()).toMatchObject([{ people: 1 }])
  })
})

describe('whose word counts of errors [P84]', () => {
  it('is theirs who may sign in, about releases that their pages can have, in files that these have', async () => {
    const staff = await cookieOf('staff@north.example')
    const draft = (await remote.put('a draft')).releaseId
    expect(await tell(undefined, [anError()])).toBe(200)
    expect(await tell(staff?.replace(/.$/, 'x'), [anError()])).toBe(200)
    await tell(staff, [
      anError({ releaseId: draft }),
      anError({ part: 'remote-unknown' }),
      anError({ frames: [{ file: 'elsewhere.js', line: 1, column: 1 }] }),
    ])
    expect(await listErrors()).toEqual([])
  })

  it.each([
    [
      'a stack that is too long',
      { frames: Array.from({ length: 11 }, () => ({ file: 'App.js', line: 1, column: 1 })) },
    ],
    ['no place', { frames: [] }],
    ['a message that is too long', { message: 'is '.repeat(100) }],
    ['a file that leads elsewhere', { frames: [{ file: '../../secret.js', line: 1, column: 1 }] }],
    ['more than the contract knows', { user: 'ada' } as Partial<PageError>],
  ])('is refused with %s', async (_what, more) => {
    expect(await tell(await cookieOf('staff@north.example'), [anError(more)])).toBe(400)
  })

  it('ends at twenty errors of a session in a day', async () => {
    const staff = await cookieOf('staff@north.example')
    for (let column = 1; column <= 25; column += 1) await tell(staff, [anError({ frames: [inApp(column)] })])
    expect((await listErrors()).reduce((sum, { reports }) => sum + reports, 0)).toBe(20)
  })

  it('pushes out no group that more people met, however many one makes up', async () => {
    const [staff, admin] = [await cookieOf('staff@north.example'), await cookieOf('admin@south.example')]
    for (const cookie of [staff, admin]) await tell(cookie, [anError()])
    await server.deps.db
      .insertInto('release_errors')
      .values(
        Array.from({ length: 120 }, (_one, index) => ({
          part: remote.name,
          id: `made-up-${index}`,
          name: 'Error',
          message: '…',
          stack: '[]',
        })),
      )
      .execute()
    await tell(admin, [anError({ name: 'RangeError' })])
    const groups = await listErrors()
    expect(groups).toHaveLength(100)
    expect(groups.map(({ name, people }) => [name, people])).toEqual(
      expect.arrayContaining([
        ['TypeError', 2],
        ['RangeError', 1],
      ]),
    )
  })
})

describe('who gets errors and maps [P84]', () => {
  it('are super administrators and the tokens of the part', async () => {
    const ask = (part: string) => ({ part })
    for (const role of ['sys_admin', 'admin', 'staff', 'service_user'] as const)
      expect((await (await server.signIn(role)).call(release.listErrors, ask(remote.name))).status).toBe(403)
    expect((await server.call(release.listErrors, ask(remote.name))).status).toBe(401)
    const mine = createMachine(server, (await makeApiToken(root, { scopes: ['rollback'], parts: [remote.name] })).token)
    expect((await mine(release.listErrors, ask(remote.name))).status).toBe(200)
    expect((await mine(release.listErrors, ask('remote-other'))).status).toBe(403)
    const scans = createMachine(server, (await makeApiToken(root, { scopes: ['read'] })).token)
    expect((await scans(release.listErrors, ask(remote.name))).status).toBe(403)
  })

  it('is nobody of maps: no address gives one', async () => {
    const { store } = releases
    expect(await readMap(store, { name: remote.name, releaseId }, 'App.js')).toEqual(map)
    const paths = [
      `/releases/${remote.name}/${releaseId}/App.js.map`,
      `/releases/${remote.name}/${releaseId}/private-maps/App.js.map`,
      `/releases/again/${remote.name}/${releaseId}/App.js.map`,
      `/releases/maps/${remote.name}/${releaseId}/App.js.map.gz`,
      `/releases/maps/${remote.name}/App.js.map.gz`,
      `/releases/${remote.name}/..%2fmaps%2f${remote.name}/${releaseId}/App.js.map.gz`,
      `/releases/${remote.name}/${releaseId}/..%2f..%2fmaps%2f${remote.name}%2f${releaseId}%2fApp.js.map.gz`,
    ]
    for (const url of paths) {
      const { statusCode, rawPayload } = await server.app.inject({ url, headers: root.headers })
      expect([url, statusCode]).toEqual([url, 404])
      expect(rawPayload.toString('latin1')).not.toMatch(/mappings|Table\.tsx/)
    }
  })

  it('brings maps with the scope publish, for scripts that the release has, without their sources', async () => {
    const { token } = await makeApiToken(root, { scopes: ['publish'], parts: [remote.name] })
    const machine = createMachine(server, token)
    const id = (await remote.put('unmapped')).releaseId
    const pack = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64')
    const add = (script: string, packed: string, part = remote.name) =>
      machine(release.addMaps, { part, releaseId: id, maps: [{ script, map: packed }] })
    expect((await add('App.js', pack(map), 'remote-other')).status).toBe(403)
    expect((await add('other.js', pack(map))).status).toBe(409)
    expect((await add('App.js', 'AAAA')).status).toBe(400)
    expect((await add('App.js', pack('A'.repeat(9_000_000)))).status).toBe(400)
    expect((await add('App.js', pack({ ...map, mappings: 7 }))).status).toBe(409)
    const many = Array.from({ length: 6 }, () => ({ script: 'App.js', map: pack('A'.repeat(2_900_000)) }))
    const bomb = await machine(release.addMaps, { part: remote.name, releaseId: id, maps: many })
    expect(bomb.status).toBe(400)
    expect((await add('App.js', pack({ ...map, sourcesContent: ['secret()'] }))).status).toBe(200)
    expect(await readMap(releases.store, { name: remote.name, releaseId: id }, 'App.js')).toEqual(map)
    expect((await root.call(audit.list, { event: 'ReleaseMapsAdded' })).data).toHaveLength(1)
  })
})
