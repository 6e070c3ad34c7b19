import { audit, complaint, release } from '@dmp/contract'

import type { ScopeName } from '@dmp/contract/apiToken'
import { hashCallShape, toCallShapes } from '@dmp/release/preflight/calls'
import { readRegistry, readRelease } from '@dmp/release/store/ReleaseStore'
import { createTestReleases, type TestReleases } from '../../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'
import { answered, createMachine, toArrival, tryInBrowser, type Machine } from './doorInTests.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let other: SignedIn
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
  other = await signInAnother()
})
afterAll(() => server.close())

/** Somebody else of the provider, for what two people decide. */
async function signInAnother(): Promise<SignedIn> {
  const { userId } = await server.signIn('sys_admin')
  await server.deps.db.updateTable('users').set({ role: 'super_admin' }).where('id', '=', userId).execute()
  server.deps.bus.publish({ kind: 'viewersChanged', userIds: [userId] })
  return server.signIn('sys_admin')
}

let parts = 0
const aPart = (): string => `remote-door${(parts += 1)}`

const machineFor = async (who: SignedIn, part: string, ...scopes: ScopeName[]) => {
  const token = await makeApiToken(who, { scopes, parts: [part] })
  return { ...token, ask: createMachine(server, token.token) }
}

const bring = async (ask: Machine, part: string, code = 'one', over = {}): Promise<string> => {
  const { status, data, message } = await ask(release.publish, await toArrival(part, code, over))
  expect([status, message]).toEqual([200, undefined])
  return data.releaseId
}

describe('a team that has nothing but a token', () => {
  it('brings, tries with some people, makes live and takes back its part, each by the name of its token [P57]', async () => {
    const part = aPart()
    const { ask, name } = await machineFor(root, part, 'publish', 'canary', 'activate', 'rollback')
    const first = await bring(ask, part)
    expect((await readRelease(releases.store, part, first)).commit).toBe('abc1234')
    expect((await ask(release.getPart, { part })).data).toEqual({
      part,
      live: null,
      canary: null,
      needsTwoPeople: false,
    })

    await tryInBrowser(releases.store, part, first)
    expect((await ask(release.activate, { part, releaseId: first, reason: 'the first' })).data.live).toBe(first)

    const second = await bring(ask, part, 'two')
    await tryInBrowser(releases.store, part, second)
    const canary = await ask(release.startCanary, {
      part,
      releaseId: second,
      percent: 1,
      users: ['Ann@North.example '],
    })
    expect(canary.data).toMatchObject({ live: first, canary: { releaseId: second, percent: 1, users: 1 } })
    expect((await ask(release.promoteCanary, { part, releaseId: second })).status).toBe(200)
    expect((await ask(release.promoteCanary, { part, releaseId: second, percent: 100 })).status).toBe(200)
    expect((await ask(release.getPart, { part })).data).toMatchObject({ live: second, canary: null })
    expect((await ask(release.rollback, { part, releaseId: second, reason: 'rows were missing' })).status).toBe(200)
    expect((await ask(release.getPart, { part })).data.live).toBe(first)

    const moves = (await readRegistry(releases.store))?.history.filter(({ parts: moved }) => moved.includes(part)) ?? []
    expect(moves.map(({ change }) => change)).toEqual(['rollback', 'promote', 'promote', 'canary', 'activate'])
    expect(new Set(moves.map(({ by }) => by.replace(/of .+@.+\)/, 'of …)')))).toEqual(
      new Set([`${name} (API token of …)`]),
    )
    const told = (await root.call(audit.list, {})).data
    for (const event of [
      'ReleasePublished',
      'ReleaseActivated',
      'CanaryStarted',
      'CanaryPromoted',
      'ReleaseRolledBack',
    ])
      expect(told.some((row) => row.event === event && JSON.stringify(row).includes(part))).toBe(true)
  })

  it('adds nothing by bringing the same build again, whatever the order of its files [P57]', async () => {
    const part = aPart()
    const { ask } = await machineFor(root, part, 'publish')
    const build = await toArrival(part, 'one')
    const [first, again] = [
      (await ask(release.publish, build)).data,
      (await ask(release.publish, { ...build, files: [...build.files].reverse(), commit: 'fffffff' })).data,
    ]
    expect(again).toMatchObject({
      releaseId: first.releaseId,
      isNew: false,
      commit: 'abc1234',
      publishedAt: first.publishedAt,
    })
  })

  const withFile = (path: string) => async (part: string) => {
    const build = await toArrival(part, 'x')
    return { ...build, files: [...build.files, { path, content: 'e30=' }] }
  }
  it.each([
    ['of another part', async (part: string) => ({ ...(await toArrival('remote-other', 'x')), part }), 'record.name'],
    [
      'without a file that it names',
      async (part: string) => ({ ...(await toArrival(part, 'x')), files: [{ path: 'App.js', content: '' }] }),
      undefined,
    ],
    ['with a file twice', withFile('App.js'), 'files'],
    ['with release.json of its own', withFile('release.json'), 'files'],
    ['with a signature among its files', withFile('provenance.0.dsse.json'), 'files'],
    ['with other compressed bytes than its files', withFile('remoteEntry.js.br'), 'files'],
    ['with a file outside of its folder', withFile('../registry/9.json'), 'files.2.path'],
  ])('cannot bring a build %s [P03, P57]', async (_what, make, path) => {
    const part = aPart()
    const { ask } = await machineFor(root, part, 'publish')
    const refused = await ask(release.publish, await make(part))
    expect([refused.status === 400 || refused.status === 409, refused.fields?.[0]?.path]).toEqual([true, path])
    expect(await releases.store.list(part)).toEqual([])
  })

  it('is told in its own words where it is, not where the server keeps releases [P57]', async () => {
    const part = aPart()
    const { ask } = await machineFor(root, part, 'publish')
    const missing = await ask(release.judge, { part, releaseId: '0123456789abcdef' })
    expect([missing.status, missing.message]).toEqual([409, expect.stringContaining('has no release 0123456789abcdef')])
    expect(missing.message).not.toContain(releases.store.location)
  })
})

describe('the platform judges', () => {
  it('refuses by name, with the cure, a call that the deployed server does not answer, before it is live [P58]', async () => {
    const part = aPart()
    const { ask } = await machineFor(root, part, 'publish', 'activate', 'unchecked')
    const shape = toCallShapes([complaint.listTypes])[complaint.listTypes.name]!
    const good = await bring(ask, part, 'good', { calls: answered })
    const cases = [
      [
        'renamed',
        { 'GET /Complaint/listKinds': { ...shape, path: '/Complaint/listKinds' } },
        'GET /Complaint/listKinds, which the server does not answer',
      ],
      [
        'sends more',
        { [complaint.listTypes.name]: { ...shape, takes: { is: 'object', of: { since: { is: 'text' } } } } },
        'it sends “since”, which is not known',
      ],
      [
        'expects more',
        {
          [complaint.listTypes.name]: {
            ...shape,
            gives: { is: 'list', of: { is: 'object', of: { colour: { is: 'text' } } } },
          },
        },
        'its answer has no “colour”',
      ],
      ['is unreadable', '{"GET /x":{"is":"' + 'x', 'calls.json of'],
      [
        'is nested without end',
        `{"GET /x":{"method":"GET","path":"/x","gives":{"is":"nothing"},"takes":${'{"is":"maybe","of":'.repeat(40_000)}`,
        'calls.json of',
      ],
    ] as const
    for (const [code, calls, says] of cases) {
      const published = await ask(release.publish, await toArrival(part, code, { calls }))
      expect([code, published.status]).toEqual([code, 200])
      const finding = published.data.findings.find(({ check }) => check === 'calls')
      expect([finding?.passed, finding?.says, finding?.cure]).toEqual([
        false,
        expect.stringContaining(says),
        expect.any(String),
      ])
      // Nothing goes around it: not a good trial, and no reason.
      await tryInBrowser(releases.store, part, published.data.releaseId)
      for (const unchecked of [undefined, 'it is urgent']) {
        const refused = await ask(release.activate, {
          part,
          releaseId: published.data.releaseId,
          ...(unchecked ? { unchecked } : {}),
        })
        expect([refused.status, refused.code, refused.message]).toEqual([
          409,
          'DOES_NOT_FIT',
          expect.stringContaining(says),
        ])
      }
    }
    await tryInBrowser(releases.store, part, good)
    expect((await ask(release.activate, { part, releaseId: good })).status).toBe(200)
  })

  it('makes nothing live that it did not try in a browser, or that failed there [P58]', async () => {
    const part = aPart()
    const { ask } = await machineFor(root, part, 'publish', 'canary', 'activate')
    const releaseId = await bring(ask, part)
    const early = await ask(release.activate, { part, releaseId })
    expect([early.status, early.message]).toEqual([
      409,
      expect.stringContaining(`npm run release -- check ${part} --release ${releaseId}`),
    ])
    expect((await ask(release.startCanary, { part, releaseId, percent: 1 })).status).toBe(409)
    await tryInBrowser(releases.store, part, releaseId, false)
    const failed = await ask(release.activate, { part, releaseId })
    expect([failed.status, failed.message]).toEqual([409, 'It drew nothing within 10 s. Look at it.'])
    await tryInBrowser(releases.store, part, releaseId)
    expect((await ask(release.judge, { part, releaseId })).data.passed).toBe(true)
    expect((await ask(release.activate, { part, releaseId })).status).toBe(200)
  })

  it('refuses an address of another part, or below it, and unmet needs, also with a reason [P58, P89]', async () => {
    const part = aPart()
    const { ask } = await machineFor(root, part, 'publish', 'activate', 'unchecked')
    for (const [code, over, says] of [
      ['address', { routes: ['/dashboard'] }, 'both claim /dashboard'],
      [
        'address below it',
        { routes: ['/dashboard/more'] },
        'claims /dashboard/more, which lies below an address of host',
      ],
      ['needs', { kit: '^9.0.0' }, 'needs @dmp/kit ^9.0.0'],
    ] as const) {
      const releaseId = await bring(ask, part, code, over)
      const refused = await ask(release.activate, { part, releaseId, unchecked: 'it is urgent' })
      expect([refused.status, refused.message]).toEqual([409, expect.stringContaining(says)])
    }
  })

  it('lets one go without the trial by a right of its own, and tells every super administrator [P58]', async () => {
    const part = aPart()
    const plain = await machineFor(root, part, 'publish', 'activate')
    const releaseId = await bring(plain.ask, part)
    expect((await plain.ask(release.activate, { part, releaseId, unchecked: 'urgent' })).status).toBe(403)
    const { ask, name } = await machineFor(root, part, 'activate', 'unchecked')
    expect((await ask(release.activate, { part, releaseId, unchecked: 'the form is down' })).status).toBe(200)
    const [move] = (await readRegistry(releases.store))?.history ?? []
    expect(move).toMatchObject({ parts: [part], reason: 'unchecked: the form is down' })
    const mails = await server.deps.db
      .selectFrom('mails')
      .selectAll()
      .where('subject', '=', `${part} went live without its trial`)
      .execute()
    expect(mails.length).toBeGreaterThan(1)
    expect(JSON.stringify(mails[0])).toContain(name)
  })

  it('says which calls it answers, each with a hash of its shape, to anybody [P58]', async () => {
    const { status, data } = await server.call(release.contract, {})
    const shape = toCallShapes([complaint.listTypes])[complaint.listTypes.name]!
    expect([status, data.calls.length > 100]).toEqual([200, true])
    expect(data.calls).toContainEqual({ name: complaint.listTypes.name, hash: hashCallShape(shape) })
    const one = await server.call(release.getCallShape, { name: complaint.listTypes.name })
    expect(JSON.parse(one.data.shape)).toEqual(shape)
    expect((await server.call(release.getCallShape, { name: 'constructor' })).status).toBe(404)
  })
})

describe('a part that wants two people', () => {
  it('is not made live by whoever published it, with whatever token, but by somebody else [P57]', async () => {
    const publisher = await machineFor(root, 'host', 'publish', 'canary', 'activate')
    const releaseId = await bring(publisher.ask, 'host', `host ${Date.now()}`)
    await tryInBrowser(releases.store, 'host', releaseId)
    const again = await machineFor(root, 'host', 'canary', 'activate')
    for (const ask of [publisher.ask, again.ask, root.call]) {
      const refused = await ask(release.activate, { part: 'host', releaseId })
      expect([refused.status, refused.code]).toEqual([403, 'NEEDS_ANOTHER_PERSON'])
    }
    expect((await again.ask(release.startCanary, { part: 'host', releaseId, percent: 11 })).code).toBe(
      'NEEDS_ANOTHER_PERSON',
    )
    expect((await again.ask(release.startCanary, { part: 'host', releaseId, percent: 1 })).status).toBe(200)
    for (const percent of [50, 100])
      expect((await root.call(release.promoteCanary, { part: 'host', releaseId, percent })).code).toBe(
        'NEEDS_ANOTHER_PERSON',
      )
    const { ask } = await machineFor(other, 'host', 'activate')
    expect((await ask(release.activate, { part: 'host', releaseId })).data.live).toBe(releaseId)
  })
})
