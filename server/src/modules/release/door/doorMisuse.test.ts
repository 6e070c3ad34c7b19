import { release } from '@dmp/contract'
import type { ScopeName } from '@dmp/contract/apiToken'
import { activate, rollback } from '@dmp/release/activate'
import { startCanary, stopCanary } from '@dmp/release/canary'
import { readRegistry, swapRegistry } from '@dmp/release/store/ReleaseStore'
import { createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { createMachine, toArrival, tryInBrowser, type Machine } from './doorInTests.ts'

/** What the ninth attack did with tokens for releases (docs/decisions/0108-what-the-ninth-attack-got.md). */
let server: TestServer
let releases: TestReleases
let root: SignedIn
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

let parts = 0
const aPart = (): string => `remote-misuse${(parts += 1)}`

const machineFor = async (part: string, ...scopes: ScopeName[]): Promise<Machine> =>
  createMachine(server, (await makeApiToken(root, { scopes, parts: [part] })).token)

const bring = async (ask: Machine, part: string, code: string): Promise<string> => {
  const { status, data, message } = await ask(release.publish, await toArrival(part, code))
  expect([status, message]).toEqual([200, undefined])
  await tryInBrowser(releases.store, part, data.releaseId)
  return data.releaseId
}

/** Several releases of a new part, of which the first is live. */
async function bringAll(...codes: string[]): Promise<{ part: string; ids: string[]; team: Machine }> {
  const part = aPart()
  const team = await machineFor(part, 'publish', 'canary', 'activate', 'rollback')
  const ids: string[] = []
  for (const code of codes) {
    ids.push(await bring(team, part, code))
    if (ids.length === 1)
      await activate(releases.store, { parts: [{ name: part, releaseId: ids[0]! }] }, { by: 'test' })
  }
  return { part, ids, team }
}

describe('a token for some people', () => {
  it('gets no further by promoting several times at once [P57, P64]', async () => {
    const { part, ids } = await bringAll('one', 'two')
    const canary = await machineFor(part, 'canary')
    const releaseId = ids[1]!
    expect((await canary(release.startCanary, { part, releaseId, percent: 1 })).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => canary(release.promoteCanary, { part, releaseId })),
    )
    // Each that went through took one step, judged where it stood; none went past the last that the token may take.
    const taken = answers.filter(({ status }) => status === 200).length
    expect([1, 2]).toContain(taken)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect((await canary(release.getPart, { part })).data).toMatchObject({
      live: ids[0],
      canary: { releaseId, percent: [1, 10, 50][taken] },
    })
  })

  it('chooses nobody but its owner where a part wants two people [P57, P64]', async () => {
    const ask = await machineFor('host', 'publish', 'canary')
    const releaseId = await bring(ask, 'host', `host ${Date.now()}`)
    const start = (...users: string[]) => ask(release.startCanary, { part: 'host', releaseId, percent: 0, users })
    expect((await start('sys@dmp.example')).code).toBe('NEEDS_ANOTHER_PERSON')
    expect((await start('super@dmp.example', 'admin@north.example')).code).toBe('NEEDS_ANOTHER_PERSON')
    expect((await start('SUPER@dmp.example')).status).toBe(200)
  })
})

describe('a token that takes back', () => {
  it('does not bring back what was taken back [P57, P64]', async () => {
    const { part, ids, team } = await bringAll('one', 'two')
    const [first, second] = ids as [string, string]
    expect((await team(release.activate, { part, releaseId: second })).status).toBe(200)
    const back = await machineFor(part, 'rollback')
    expect((await back(release.rollback, { part, releaseId: second })).status).toBe(200)
    expect((await back(release.rollback, { part, releaseId: first })).code).toBe('NOT_POSSIBLE')
    expect((await back(release.getPart, { part })).data.live).toBe(first)
    // A person who sees what they do still can.
    expect((await root.call(release.rollback, { part, releaseId: first })).status).toBe(200)
  })
})

describe('the history', () => {
  it('keeps what every part can go back to, however often one of them is moved [P57, P64]', async () => {
    const { part: calm, ids } = await bringAll('one', 'two')
    const { store } = releases
    await activate(store, { parts: [{ name: calm, releaseId: ids[1]! }] }, { by: 'test' })
    const { part: busy, ids: others } = await bringAll('one', 'two')
    for (let turn = 0; turn < 105; turn += 1) {
      await startCanary(store, { name: busy, releaseId: others[1]! }, { percent: 1 }, { by: 'test' })
      await stopCanary(store, busy, { by: 'test' })
    }
    const history = (await readRegistry(store))?.history ?? []
    expect(history).toHaveLength(200)
    expect(history.filter(({ parts: moved }) => moved.includes(calm)).map(({ change }) => change)).toEqual([
      'activate',
      'activate',
    ])
    const { data } = await root.call(release.status, {})
    expect(data.parts.find(({ name }) => name === calm)?.before?.releaseId).toBe(ids[0])
    await rollback(store, { part: calm, by: 'test' })
    expect((await root.call(release.status, {})).data.parts.find(({ name }) => name === calm)?.live.releaseId).toBe(
      ids[0],
    )
  })

  it('is not filled by a machine, which moves its part thirty times an hour at most [P57, P64]', async () => {
    const { part, ids } = await bringAll('one', 'two')
    const canary = await machineFor(part, 'canary')
    const releaseId = ids[1]!
    const statuses = []
    for (let turn = 0; turn < 16; turn += 1)
      statuses.push(
        (await canary(release.startCanary, { part, releaseId, percent: 1 })).status,
        (await canary(release.stopCanary, { part, releaseId })).status,
      )
    expect(statuses.indexOf(429)).toBe(29)
    // People are not held up by it.
    expect((await root.call(release.stopCanary, { part, releaseId })).status).toBe(200)
    // Nor is the machine an hour later.
    const registry = (await readRegistry(releases.store))!
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const history = registry.history.map((move) => ({ ...move, at: hourAgo }))
    await swapRegistry(releases.store, { ...registry, version: registry.version + 1, history })
    expect((await canary(release.startCanary, { part, releaseId, percent: 1 })).status).toBe(200)
    expect((await root.call(release.stopCanary, { part, releaseId })).status).toBe(200)
  })
})

describe('a build', () => {
  const withFiles = async (part: string, ...paths: string[]) => {
    const build = await toArrival(part, 'x')
    return { ...build, files: [...build.files, ...paths.map((path) => ({ path, content: 'e30=' }))] }
  }

  it.each([
    ['a name that no disk takes', [`${'a'.repeat(250)}.js`], 'at most 200 characters'],
    ['a path that is longer than a disk takes', [Array(3000).fill('a').join('/')], 'at most 200 characters'],
    ['a file that is a folder as well', ['texts/de.json', 'texts'], 'cannot be a file and a folder'],
    ['its document as a folder', ['release.json/x'], 'the store needs for itself'],
    ['a packed file as a folder', ['remoteEntry.js.gz/x'], 'the store needs for itself'],
    ['reserved names in large letters', ['remoteEntry.js.BR'], 'the store needs for itself'],
    ['a file twice for disks that know one kind of letters', ['APP.js'], 'large and small letters'],
  ])('with %s is refused before anything is stored [P57, P64]', async (_what, paths, says) => {
    const part = aPart()
    const ask = await machineFor(part, 'publish')
    const refused = await ask(release.publish, await withFiles(part, ...paths))
    expect([refused.status, refused.fields?.[0]?.path]).toEqual([400, 'files'])
    expect(refused.message).toContain(says)
    expect(await releases.store.list(part)).toEqual([])
  })

  it('notes of itself no more than pages can carry, and takes nothing that only looks provided [P57, P64]', async () => {
    const part = aPart()
    const ask = await machineFor(part, 'publish')
    const build = await toArrival(part, 'x')
    const withRecord = (record: object) => ({ ...build, record: { ...build.record, ...record } })
    const long = await ask(release.publish, withRecord({ uses: { './App': ['x'.repeat(200_000)] } }))
    expect([long.status, long.fields?.[0]?.path]).toEqual([400, 'record'])
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}`, ['x']]))
    expect((await ask(release.publish, withRecord({ uses: many }))).status).toBe(400)
    const inherited = await ask(release.publish, withRecord({ consumes: { toString: '^1.0.0' } }))
    expect(inherited.data.findings[0]).toMatchObject({ check: 'needs', passed: false })
  })

  it('may have one file that is nearly as long as a build may be [P57, P64]', async () => {
    const part = aPart()
    const ask = await machineFor(part, 'publish')
    const build = await toArrival(part, 'x')
    const content = Buffer.alloc(11_000_000, 7).toString('base64')
    const { status, data } = await ask(release.publish, {
      ...build,
      files: [...build.files, { path: 'large.bin', content }],
    })
    expect([status, data.files]).toEqual([200, build.files.length + 1])
    const wrong = await ask(release.publish, { ...build, files: [...build.files, { path: 'a.bin', content: 'e30=!' }] })
    expect(wrong.message).toBe('This content is not base64.')
  })
})
