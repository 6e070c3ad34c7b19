import { join } from 'node:path'
import { audit, release } from '@dmp/contract'
import type { PageSnapshot } from '@dmp/contract/release'
import type { Observation } from '@dmp/contract/releaseReport'
import { activate, rollback } from '@dmp/release/activate'
import { startCanary } from '@dmp/release/canary'
import { publish } from '@dmp/release/publish'
import { readRegistry } from '@dmp/release/store'
import { openStore, type FolderStore } from '@dmp/release/storeFolder'
import { aBuild } from '@dmp/release/testing/aBuild'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { checkForRollback } from './autoRollback.ts'

const by = { by: 'a pipeline' }
let server: TestServer
let store: FolderStore
let root: SignedIn
/** The remote of the test; each has one of its own on the same server. */
let name = ''
let tests = 0

const put = (code: string, part = name) => publish(store, aBuild(part, code), { commit: 'abc' })

/** A browser in which somebody signed in, as far as pages and reports go. */
async function browserOf(email: string) {
  const { raw } = await server.call(
    {
      kind: 'endpoint',
      name: '',
      definition: { method: 'POST', path: '/account/login', summary: '', needs: 'nothing' },
    },
    { ClientId: 'dmp-web', email, password: 'DemoPassw0rd!' },
    { headers: { 'sec-fetch-site': 'same-origin' } },
  )
  const cookie = raw.cookies.find(({ name }) => name === 'dmp-audience')
  return { cookie, ...browser(`dmp-audience=${cookie?.value}`) }
}

const browser = (cookie: string) => ({
  /** The release of the scans remote that the next page is made of. */
  scans: async (): Promise<string | undefined> => {
    const { body } = await server.app.inject({ url: `/${name.slice(7)}`, headers: { cookie } })
    const snapshot = JSON.parse(/id="dmp-snapshot">(.*?)<\/script>/s.exec(body)?.[1] ?? 'null') as PageSnapshot
    const { data } = (await server.app.inject({ url: '/releases/live', headers: { cookie } })).json<{
      data: { snapshot: string }
    }>()
    expect(data.snapshot).toBe(snapshot.id)
    return snapshot.remotes.find(({ declaration }) => declaration.name === name)?.releaseId
  },
  report: async (...seen: (Pick<Observation, 'releaseId' | 'what'> & Partial<Observation>)[]) => {
    const { status } = await server.call(
      release.report,
      { seen: seen.map((one) => ({ part: name, ...one })) },
      { headers: { cookie } },
    )
    await server.deps.db.selectFrom('mails').select('id').execute()
    return status
  },
})

const stranger = browser('')
const history = async () =>
  (await readRegistry(store))?.history
    .filter(({ parts }) => parts.includes(name))
    .map(({ change, by: who }) => `${change} by ${who}`)
const takenBack = () => `A release of ${name} was taken back`
const mails = () => server.deps.db.selectFrom('mails').selectAll().where('subject', '=', takenBack()).execute()
const figures = async () => (await root.call(release.status, {})).data.parts.find((part) => part.name === name)
/** Work behind an answer has no end that a browser could see. */
async function until<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const value = await ask()
    if (isRight(value)) return value
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error('It did not come to be.')
}
const movesTo = (change: string) => until(history, (moves) => moves?.[0] === `${change} by automatic`)

beforeAll(async () => {
  server = await startServer()
  store = openStore(join(server.deps.settings.dataDir, 'releases'))
  await activate(store, { parts: [await put('one', 'host')] }, by)
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  name = `remote-t${(tests += 1)}`
  await activate(store, { parts: [await put('one')] }, by)
  await server.deps.db.deleteFrom('release_reports').execute()
  await server.deps.db.deleteFrom('mails').execute()
})

describe('a canary', () => {
  it('goes to the browsers of the people who are named, and to nobody else', async () => {
    const [one, two] = [(await stranger.scans())!, (await put('two')).releaseId]
    await startCanary(store, { name, releaseId: two }, { percent: 0, users: ['staff@north.example'] }, by)
    const [staff, admin] = [await browserOf('staff@north.example'), await browserOf('admin@north.example')]
    expect([await staff.scans(), await admin.scans(), await stranger.scans()]).toEqual([two, one, one])
    expect([await staff.scans(), await staff.scans()]).toEqual([two, two])
    // Nobody chooses by hand.
    const place = staff.cookie?.value.split('.')[0]
    for (const forged of [`${place}.x`, 'a.b', `${place}`, 'staff@north.example'])
      expect(await browser(`dmp-audience=${forged}`).scans()).toBe(one)
  })

  it('is decided by a cookie that scripts cannot read and that names nobody [P23]', async () => {
    const { cookie } = await browserOf('staff@north.example')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(Buffer.from(cookie?.value ?? '', 'base64url').toString()).not.toMatch(/staff|north/)
    expect((await browserOf('staff@north.example')).cookie?.value).toBe(cookie?.value)
    expect((await browserOf('admin@north.example')).cookie?.value).not.toBe(cookie?.value)
  })

  it('is no reason to keep a page: it asks for its scripts by their hashes, like any other', async () => {
    const { releaseId } = await put('two')
    await startCanary(store, { name, releaseId }, { percent: 100 }, by)
    const { cookie } = await browserOf('staff@north.example')
    const page = await server.app.inject({
      url: `/${name.slice(7)}`,
      headers: { cookie: `dmp-audience=${cookie?.value}` },
    })
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['content-security-policy']).toContain("script-src 'self' 'nonce-")
    expect(page.body).toMatch(new RegExp(`src="/releases/${name}/${releaseId}/remoteEntry.js" integrity="sha384-`))
  })

  it('that fails on pages is stopped by itself: recorded, said in the log and by mail, and the next page has what is live [P24, P31]', async () => {
    const [one, two] = [(await stranger.scans())!, (await put('two')).releaseId]
    await startCanary(store, { name, releaseId: two }, { percent: 0, users: ['staff@north.example'] }, by)
    const staff = await browserOf('staff@north.example')
    for (let page = 0; page < 3; page += 1) {
      expect(await staff.scans()).toBe(two)
      await staff.report({ releaseId: two, what: 'evaluation' })
    }
    await movesTo('stop')
    expect(await staff.scans()).toBe(one)
    const reason = (await readRegistry(store))?.history[0]?.reason
    expect(reason).toBe('It failed on 100 % of 3 pages (evaluation 3); the release before on none that is known.')
    const mail = await server.mailTo('super@dmp.example')
    expect(mail.subject).toBe(takenBack())
    for (const text of [mail.text, mail.html]) expect(text).toContain(reason)
    expect((await root.call(audit.list, { event: 'CanaryStopped' })).data).toMatchObject([
      {
        actor: null,
        subject: expect.arrayContaining([
          { key: 'part', value: name },
          { key: 'by', value: 'automatic' },
        ]) as unknown,
      },
    ])
    expect(server.logs.join('')).toContain('a canary was stopped by itself')
  })

  it('goes on while it fails no more than what is live', async () => {
    const [one, two] = [(await stranger.scans())!, (await put('two')).releaseId]
    await startCanary(store, { name, releaseId: two }, { percent: 0, users: ['staff@north.example'] }, by)
    const [staff, admin] = [await browserOf('staff@north.example'), await browserOf('admin@north.example')]
    for (let page = 0; page < 4; page += 1)
      await admin.report({ releaseId: one, what: page < 2 ? 'timeout' : 'loaded' })
    for (let page = 0; page < 4; page += 1) await staff.report({ releaseId: two, what: 'timeout' })
    await until(figures, (part) => part?.canary?.figures.failures === 4)
    await checkForRollback(server.deps, store, { name, releaseId: two })
    expect(await history()).toEqual(['canary by a pipeline', 'activate by a pipeline'])
    // What is live failed as often, but not lately.
    await server.deps.db
      .updateTable('release_reports')
      .set({ minute: sql`minute - interval '25 hours'` })
      .where('release_id', '=', one)
      .execute()
    await checkForRollback(server.deps, store, { name, releaseId: two })
    await movesTo('stop')
  })
})

describe('a release that is live for everybody', () => {
  const makeLive = async (code: string) => {
    const made = await put(code)
    await activate(store, { parts: [made] }, by)
    return made.releaseId
  }

  it('is rolled back by itself when pages of several people fail, once, however many servers see it [P31]', async () => {
    const [one, two] = [await stranger.scans(), await makeLive('two')]
    const [staff, admin] = [await browserOf('staff@north.example'), await browserOf('admin@north.example')]
    // Nobody is alone believed, whatever they send.
    for (let page = 0; page < 5; page += 1) await staff.report({ releaseId: two, what: 'error' })
    await checkForRollback(server.deps, store, { name, releaseId: two })
    expect(await stranger.scans()).toBe(two)
    await admin.report({ releaseId: two, what: 'loaded', ms: 40 })
    await admin.report({ releaseId: two, what: 'error' })
    await Promise.all(Array.from({ length: 3 }, () => checkForRollback(server.deps, store, { name, releaseId: two })))
    await movesTo('rollback')
    expect(await history()).toEqual(['rollback by automatic', 'activate by a pipeline', 'activate by a pipeline'])
    expect([await stranger.scans(), (await mails()).length]).toEqual([one, 1])
  })

  it('is left alone after its time, after a rollback, and where nothing was live before', async () => {
    const [one, two] = [(await stranger.scans())!, await makeLive('two')]
    const people = [await browserOf('staff@north.example'), await browserOf('admin@north.example')]
    const fail = async (releaseId: string) => {
      for (let page = 0; page < 4; page += 1)
        for (const person of people) await person.report({ releaseId, what: 'http' })
      await checkForRollback(server.deps, store, { name, releaseId })
    }
    await checkForRollback({ ...server.deps, settings: { ...server.deps.settings, releaseWatchMinutes: 0 } }, store, {
      name,
      releaseId: two,
    })
    await rollback(store, { ...by, part: name })
    const moves = await history()
    await fail(one)
    await fail(two)
    expect(await history()).toEqual(moves)
  })

  it('is left alone where it fails no more often than the one before did', async () => {
    const one = (await stranger.scans())!
    const people = [await browserOf('staff@north.example'), await browserOf('admin@north.example')]
    const fail = async (releaseId: string) => {
      for (let page = 0; page < 4; page += 1)
        for (const person of people) await person.report({ releaseId, what: page < 2 ? 'http' : 'loaded' })
    }
    await fail(one)
    const two = await makeLive('two')
    await fail(two)
    await checkForRollback(server.deps, store, { name, releaseId: two })
    expect(await stranger.scans()).toBe(two)
  })

  it('is left alone where the operator switched that off', async () => {
    const two = await makeLive('two')
    const people = [await browserOf('staff@north.example'), await browserOf('admin@north.example')]
    await checkForRollback({ ...server.deps, settings: { ...server.deps.settings, releaseWatch: false } }, store, {
      name,
      releaseId: two,
    })
    await people[0]?.report({ releaseId: two, what: 'http' })
    expect(await stranger.scans()).toBe(two)
  })
})

describe('reports of pages', () => {
  it('are counted by release and kind; the load time is that of three in four', async () => {
    const one = (await stranger.scans())!
    const staff = await browserOf('staff@north.example')
    for (const ms of [40, 90, 180, 4000]) expect(await staff.report({ releaseId: one, what: 'loaded', ms })).toBe(200)
    await staff.report({ releaseId: one, what: 'timeout' })
    await staff.report({ releaseId: one, what: 'error' })
    expect((await figures())?.live.figures).toEqual({
      pages: 5,
      failures: 1,
      errors: 1,
      badShare: 0.4,
      loadMsP75: 200,
      faults: [{ fault: 'timeout', pages: 1 }],
    })
    // Those of the last day; and a page that failed twice is not more than one.
    await server.deps.db
      .updateTable('release_reports')
      .set({ minute: sql`minute - interval '25 hours'` })
      .execute()
    for (const [what, bad] of [
      ['loaded', 0],
      ['error', 1],
      ['error', 1],
    ] as const)
      expect([await staff.report({ releaseId: one, what }), (await figures())?.live.figures.badShare]).toEqual([
        200,
        bad,
      ])
  })

  it('say nothing about anybody: what is kept are counts by the minute [P23]', async () => {
    const one = (await stranger.scans())!
    await (await browserOf('staff@north.example')).report({ releaseId: one, what: 'http' })
    const { db } = server.deps
    const kept = JSON.stringify([
      await db.selectFrom('release_reports').selectAll().execute(),
      await db.selectFrom('affected_users').selectAll().execute(),
    ])
    expect(kept).not.toMatch(/staff|north|\/scan/)
  })

  it('of strangers, of releases that were not offered, and of other people’s canaries count for nothing [P31]', async () => {
    const [one, two] = [(await stranger.scans())!, (await put('two')).releaseId]
    await startCanary(store, { name, releaseId: two }, { percent: 0, users: ['staff@north.example'] }, by)
    const admin = await browserOf('admin@north.example')
    expect(await stranger.report({ releaseId: one, what: 'error' })).toBe(200)
    expect(await admin.report({ releaseId: two, what: 'error' }, { releaseId: 'f'.repeat(16), what: 'error' })).toBe(
      200,
    )
    expect(await server.deps.db.selectFrom('release_reports').selectAll().execute()).toEqual([])
  })

  it.each([
    ['words of their own', { what: 'Ms Ada Berg' }],
    ['an address', { url: '/scan/detail/1' }],
    ['a name that is no part', { part: '../registry' }],
    ['a time that nobody waits for', { what: 'loaded', ms: 1e9 }],
  ])('with %s are refused', async (_what, over) => {
    expect(await stranger.report({ releaseId: 'a'.repeat(16), what: 'http', ...over } as Observation)).toBe(400)
  })

  it('are few and small', async () => {
    const one = { releaseId: 'a'.repeat(16), what: 'http' } as const
    expect(await stranger.report(...Array.from({ length: 41 }, () => one))).toBe(400)
    expect(await stranger.report(...Array.from({ length: 400 }, () => one))).toBe(413)
  })
})

describe('the calls of whoever decides', () => {
  it('show what is live and what is a canary, and every move', async () => {
    const two = await put('two')
    await startCanary(store, two, { percent: 10, users: ['staff@north.example'] }, by)
    const { data } = await root.call(release.status, {})
    expect(data.parts[0]?.name).toBe('host')
    for (const { live } of data.parts) expect(live.brotliBytes).toBeGreaterThan(0)
    expect(data.parts.find((part) => part.name === name)).toMatchObject({
      title: name,
      live: { version: '1.0.0', by: 'a pipeline' },
      canary: { releaseId: two.releaseId, percent: 10, users: ['staff@north.example'] },
      before: null,
    })
    expect((await root.call(release.history, {})).data.slice(0, 2)).toMatchObject([
      { change: 'canary', parts: [name], percent: 10 },
      { change: 'activate' },
    ])
  })

  it('grow and stop a canary and roll one part back, recorded under the name of who did it [P24]', async () => {
    const one = (await stranger.scans())!
    const [two, three] = [await put('two'), await put('three')]
    const of = ({ releaseId }: { releaseId: string }) => ({ part: name, releaseId })
    await startCanary(store, two, { percent: 50 }, by)
    expect((await root.call(release.promoteCanary, of(two))).status).toBe(200)
    expect(await stranger.scans()).toBe(two.releaseId)
    await startCanary(store, three, { percent: 1 }, by)
    expect((await root.call(release.stopCanary, { ...of(three), reason: 'not yet' })).status).toBe(200)
    expect((await root.call(release.rollback, { ...of(two), reason: 'rows were missing' })).status).toBe(200)
    expect(await stranger.scans()).toBe(one)
    const events = (await root.call(audit.list, { sort: 'at', direction: 'desc' })).data.filter(({ event }) =>
      /^(?:Canary|Release)/.test(event),
    )
    expect(events.slice(0, 3).map(({ event, actorEmail }) => `${event} ${actorEmail}`)).toEqual([
      'ReleaseRolledBack super@dmp.example',
      'CanaryStopped super@dmp.example',
      'CanaryPromoted super@dmp.example',
    ])
    expect((await readRegistry(store))?.history[0]).toMatchObject({
      change: 'rollback',
      by: 'super@dmp.example',
      reason: 'rows were missing',
    })
  })

  it('refuse to go back to what would not fit what is live by now, with the reason', async () => {
    const one = `/${name.slice(7)}`
    const wide = await publish(store, aBuild(name, 'wide', { routes: [one, `${one}-more`] }), { commit: 'abc' })
    await activate(store, { parts: [wide] }, by)
    const narrow = await put('narrow')
    const neighbour = await publish(store, aBuild(`${name}x`, 'one', { routes: [`${one}-more`] }), { commit: 'abc' })
    await activate(store, { parts: [narrow, neighbour] }, by)
    const refused = await root.call(release.rollback, { part: name, releaseId: narrow.releaseId })
    expect([refused.status, refused.code, refused.message]).toEqual([
      409,
      'DOES_NOT_FIT',
      expect.stringContaining(`both claim ${one}-more`),
    ])
    expect(await stranger.scans()).toBe(narrow.releaseId)
    await activate(store, { parts: [], remove: [neighbour.name] }, by)
  })

  it('answer 409 where something else is there by now, and record nothing', async () => {
    const stale = { part: name, releaseId: 'f'.repeat(16) }
    const recorded = async () =>
      (await root.call(audit.list, {})).data.filter(({ event }) => /^(?:Canary|Release)/.test(event)).length
    const before = await recorded()
    for (const call of [release.rollback, release.promoteCanary, release.stopCanary])
      expect(await root.call(call, stale)).toMatchObject({ status: 409 })
    const live = { part: name, releaseId: (await stranger.scans())! }
    expect(await root.call(release.rollback, live)).toMatchObject({
      status: 409,
      code: 'NOT_POSSIBLE',
      message: expect.stringContaining(`nothing to roll ${name} back to`) as unknown,
    })
    expect(await recorded()).toBe(before)
  })
})
