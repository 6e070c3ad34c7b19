import { audit, businessUser } from '@dmp/contract'
import { provider } from '@dmp/contract/examples'
import { activate, rollback } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { readRegistry } from '@dmp/release/store/ReleaseStore'
import { sql } from 'kysely'
import { roleIds } from '../../identity/roles.ts'
import { byTests, createTestReleases, type TestReleases } from '../../testing/releases.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addUser } from '../businessUser/businessUserInTests.ts'
import { checkForRollback } from './autoRollback.ts'
import { addRemote, waitUntil, type TestRemote } from './remoteInTests.ts'

let server: TestServer
let releases: TestReleases
let root: SignedIn
let remote: TestRemote
beforeAll(async () => {
  server = await startServer()
  releases = await createTestReleases(server)
  root = await server.signIn('super_admin')
  // Whoever has left is told of nothing.
  const draft = { email: 'left@dmp.example', roleId: roleIds.super_admin, organizationId: provider.id }
  const { id } = await addUser(root, draft)
  expect((await root.call(businessUser.deactivateUser, { id })).status).toBe(200)
})
afterAll(() => server.close())
beforeEach(async () => {
  remote = await addRemote(server, releases, root)
})

const listRollbackMails = () =>
  server.deps.db.selectFrom('mails').selectAll().where('subject', '=', `${remote.name} was rolled back`).execute()

describe('a canary', () => {
  it('goes to the browsers of the people who are named, and to nobody else', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, (await remote.put('two')).releaseId]
    await startCanary(
      releases.store,
      { name: remote.name, releaseId: second },
      { percent: 0, users: ['staff@north.example'] },
      byTests,
    )
    const [staff, admin] = [
      await remote.openBrowser('staff@north.example'),
      await remote.openBrowser('admin@north.example'),
    ]
    expect([await staff.openPage(), await admin.openPage(), await remote.stranger.openPage()]).toEqual([
      second,
      first,
      first,
    ])
    expect([await staff.openPage(), await staff.openPage()]).toEqual([second, second])
    // People cannot choose their place by hand.
    const place = staff.cookie?.value.split('.')[0]
    for (const forged of [`${place}.x`, 'a.b', `${place}`, 'staff@north.example'])
      expect(await remote.createBrowser(`dmp-audience=${forged}`).openPage()).toBe(first)
  })

  it('is decided by a cookie that scripts cannot read and that names nobody [P23]', async () => {
    const { cookie } = await remote.openBrowser('staff@north.example')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(Buffer.from(cookie?.value ?? '', 'base64url').toString()).not.toMatch(/staff|north/)
    const placeOf = async (email: string) => (await remote.openBrowser(email)).cookie?.value.split('.')[0]
    const place = cookie?.value.split('.')[0]
    expect([await placeOf('staff@north.example'), (await placeOf('admin@north.example')) === place]).toEqual([
      place,
      false,
    ])
  })

  it('is no reason to keep a page: it asks for its scripts by their hashes, like any other', async () => {
    const { releaseId } = await remote.put('two')
    await startCanary(releases.store, { name: remote.name, releaseId }, { percent: 100 }, byTests)
    const { cookie } = await remote.openBrowser('staff@north.example')
    const page = await server.app.inject({
      url: `/${remote.name.slice(7)}`,
      headers: { cookie: `dmp-audience=${cookie?.value}` },
    })
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['content-security-policy']).toContain("script-src 'self' 'nonce-")
    expect(page.body).toMatch(
      new RegExp(`src="/releases/${remote.name}/${releaseId}/remoteEntry.js" integrity="sha384-`),
    )
  })

  it('that fails on pages is stopped by itself: recorded, said in the log and by mail, and the next page has what is live [P24, P31]', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, (await remote.put('two')).releaseId]
    await startCanary(
      releases.store,
      { name: remote.name, releaseId: second },
      { percent: 0, users: ['staff@north.example'] },
      byTests,
    )
    const staff = await remote.openBrowser('staff@north.example')
    for (let page = 0; page < 3; page += 1) {
      expect(await staff.openPage()).toBe(second)
      await staff.report({ releaseId: second, what: 'evaluation' })
    }
    await remote.waitForMove('stop')
    expect(await staff.openPage()).toBe(first)
    const reason = (await readRegistry(releases.store))?.history[0]?.reason
    expect(reason).toBe(
      'It failed on 100 % of 3 pages (evaluation 3); there are no figures for the previous release. Reported by 1 person of North-Clinic.',
    )
    const mail = await server.mailTo('super@dmp.example')
    expect(mail.subject).toBe(`The canary of ${remote.name} was stopped`)
    for (const text of [mail.text, mail.html]) expect(text).toContain(reason)
    expect((await root.call(audit.list, { event: 'CanaryStopped' })).data).toMatchObject([
      {
        actor: null,
        subject: expect.arrayContaining([
          { key: 'part', value: remote.name },
          { key: 'by', value: 'automatic' },
        ]) as unknown,
      },
    ])
    expect(server.logs.join('')).toContain('a canary was stopped automatically')
  })

  it('goes on while it fails no more than what is live', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, (await remote.put('two')).releaseId]
    await startCanary(
      releases.store,
      { name: remote.name, releaseId: second },
      { percent: 0, users: ['staff@north.example'] },
      byTests,
    )
    const [staff, admin] = [
      await remote.openBrowser('staff@north.example'),
      await remote.openBrowser('admin@north.example'),
    ]
    for (let page = 0; page < 4; page += 1) await admin.report({ releaseId: first, what: page < 2 ? 'http' : 'loaded' })
    for (let page = 0; page < 4; page += 1) await staff.report({ releaseId: second, what: 'http' })
    await waitUntil(remote.findPart, (part) => part?.canary?.figures.failures === 4)
    await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId: second })
    expect(await remote.listMoves()).toEqual(['canary by a pipeline', 'activate by a pipeline'])
    // The live release failed as often, but more than a day ago.
    await server.deps.db
      .updateTable('release_reports')
      .set({ minute: sql`minute - interval '25 hours'` })
      .where('release_id', '=', first)
      .execute()
    await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId: second })
    await remote.waitForMove('stop')
  })
})

describe('a release that is live for everybody', () => {
  const makeLive = async (code: string) => {
    const published = await remote.put(code)
    await activate(releases.store, { parts: [published] }, byTests)
    return published.releaseId
  }

  it('is rolled back by itself when pages of several people fail, once, however many servers see it [P31]', async () => {
    const [first, second] = [await remote.stranger.openPage(), await makeLive('two')]
    const [staff, admin] = [
      await remote.openBrowser('staff@north.example'),
      await remote.openBrowser('admin@north.example'),
    ]
    // The reports of one person are not enough, however many.
    for (let page = 0; page < 5; page += 1) await staff.report({ releaseId: second, what: 'error' })
    await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId: second })
    expect(await remote.stranger.openPage()).toBe(second)
    await admin.report({ releaseId: second, what: 'loaded', ms: 40 })
    await admin.report({ releaseId: second, what: 'error' })
    await Promise.all(
      Array.from({ length: 3 }, () =>
        checkForRollback(server.deps, releases.store, { name: remote.name, releaseId: second }),
      ),
    )
    await remote.waitForMove('rollback')
    expect(await remote.listMoves()).toEqual([
      'rollback by automatic',
      'activate by a pipeline',
      'activate by a pipeline',
    ])
    expect([await remote.stranger.openPage(), (await listRollbackMails()).length]).toEqual([first, 1])
  })

  it('is left alone after its time, after a rollback, and where nothing was live before', async () => {
    const [first, second] = [(await remote.stranger.openPage())!, await makeLive('two')]
    const people = [await remote.openBrowser('staff@north.example'), await remote.openBrowser('admin@north.example')]
    const fail = async (releaseId: string) => {
      for (let page = 0; page < 4; page += 1)
        for (const person of people) await person.report({ releaseId, what: 'http' })
      await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId })
    }
    await checkForRollback(
      { ...server.deps, settings: { ...server.deps.settings, releaseWatchMinutes: 0 } },
      releases.store,
      {
        name: remote.name,
        releaseId: second,
      },
    )
    await rollback(releases.store, { ...byTests, part: remote.name })
    const moves = await remote.listMoves()
    await fail(first)
    await fail(second)
    expect(await remote.listMoves()).toEqual(moves)
  })

  it('is left alone where it fails no more often than the one before did', async () => {
    const first = (await remote.stranger.openPage())!
    const people = [await remote.openBrowser('staff@north.example'), await remote.openBrowser('admin@north.example')]
    const fail = async (releaseId: string) => {
      for (let page = 0; page < 4; page += 1)
        for (const person of people) await person.report({ releaseId, what: page < 2 ? 'http' : 'loaded' })
    }
    await fail(first)
    const second = await makeLive('two')
    await fail(second)
    await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId: second })
    expect(await remote.stranger.openPage()).toBe(second)
  })

  it('is left alone where the operator switched that off', async () => {
    const second = await makeLive('two')
    const people = [await remote.openBrowser('staff@north.example'), await remote.openBrowser('admin@north.example')]
    await checkForRollback(
      { ...server.deps, settings: { ...server.deps.settings, releaseWatch: false } },
      releases.store,
      {
        name: remote.name,
        releaseId: second,
      },
    )
    await people[0]?.report({ releaseId: second, what: 'http' })
    expect(await remote.stranger.openPage()).toBe(second)
  })
})

// Last: from here on a second customer uses the platform.
describe('a canary beside other customers', () => {
  it('for people by chance is stopped by those of two organizations, and not by one that it happened to reach [P31]', async () => {
    const second = (await remote.put('two')).releaseId
    await startCanary(releases.store, { name: remote.name, releaseId: second }, { percent: 100 }, byTests)
    const [staff, admin] = [
      await remote.openBrowser('staff@north.example'),
      await remote.openBrowser('admin@north.example'),
    ]
    const fail = async (person: typeof staff) => {
      for (let page = 0; page < 3; page += 1) {
        expect(await person.openPage()).toBe(second)
        await person.report({ releaseId: second, what: 'evaluation' })
      }
      await checkForRollback(server.deps, releases.store, { name: remote.name, releaseId: second })
    }
    const south = await remote.openBrowser('admin@south.example')
    await fail(staff)
    await fail(admin)
    expect(await remote.listMoves()).toEqual(['canary by a pipeline', 'activate by a pipeline'])
    expect(server.logs.join('')).toContain('a canary fails for too few to stop it')
    await fail(south)
    await remote.waitForMove('stop')
  })
})
