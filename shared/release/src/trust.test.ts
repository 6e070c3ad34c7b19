import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Declaration } from '@dmp/contract/remote'
import { activate, rollback } from './activate.ts'
import { promoteCanary, startCanary } from './canary.ts'
import { compose, composeSnapshot } from './composition.ts'
import { applyCanaries, replaceReleases } from './move.ts'
import { judgeDocuments } from './preflight/preflight.ts'
import { publish } from './publish.ts'
import { readRegistry, readSnapshot, type ReleaseStore } from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'
import { captureOutput, printed, runOn } from './testing/releaseCommand.ts'
import { setTrust } from './trust.ts'

const by = { by: 'test' }
const shape = { takes: { is: 'object', of: {} }, gives: { is: 'nothing' } }

/** A build of remote-report; it makes these calls, or does not say which. */
function aReport(code: string, { trust, calls }: { trust?: Declaration['trust']; calls?: readonly string[] } = {}) {
  const dist = aBuild('remote-report', code, {
    record: {
      declaration: {
        name: 'remote-report',
        title: 'Report',
        version: '1.0.0',
        routes: [{ prefix: '/report', guard: 'session' }],
        navigation: [],
        cards: [],
        ...(trust === undefined ? {} : { trust }),
        needs: { contract: '^1.0.0', kit: '^1.0.0' },
      },
    },
  })
  const made = calls?.map((call) => [call, { method: call.split(' ')[0], path: call.split(' ')[1], ...shape }])
  if (made) writeFileSync(path.join(dist, 'calls.json'), JSON.stringify(Object.fromEntries(made)))
  return dist
}

const put = async (store: ReleaseStore, dist: string) => {
  const release = await publish(store, dist, { commit: 'abc' })
  await activate(store, { parts: [release] }, by)
  return release
}
const readLive = async (store: ReleaseStore) => readSnapshot(store, (await readRegistry(store))!.live)
const findGuest = async (store: ReleaseStore) => {
  const { page } = await compose(store, (await readRegistry(store))!.live)
  return page.remotes.find(({ declaration }) => declaration.name === 'remote-report')?.guest
}

const aHost = (contract: string) =>
  aBuild('host', contract, {
    record: { provides: { react: '19.3.1', '@dmp/kit': '1.0.0', '@dmp/contract': contract } },
  })

async function aStoreWithHost() {
  const store = aStore()
  await put(store, aHost('1.12.0'))
  return store
}

describe('a part that is not trusted', () => {
  it('is a guest on pages because its release asks for it, with the calls that this makes', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one', { trust: 'guest', calls: ['GET /Complaint/list', 'POST /ApiToken/add'] }))
    expect(await findGuest(store)).toEqual({ calls: ['GET /Complaint/list'] })
  })

  it('may call nothing where its release does not say what it calls', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one', { trust: 'guest' }))
    expect(await findGuest(store)).toEqual({ calls: [] })
  })

  it('stays one when a later release no longer asks for it, and when everything is rolled back', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one'))
    expect(await findGuest(store)).toBeUndefined()
    await put(store, aReport('two', { trust: 'guest' }))
    const { releaseId } = await put(store, aReport('three'))
    expect(await findGuest(store)).toEqual({ calls: [] })
    await rollback(store, { ...by, part: 'remote-report', from: releaseId })
    await rollback(store, by)
    expect((await readLive(store)).guests).toEqual(['remote-report'])
    expect(await findGuest(store)).toEqual({ calls: [] })
  })

  it('is none because of a canary that asks for it: that one is, for those who get it, until it is live [P97]', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one'))
    const asking = await publish(store, aReport('two', { trust: 'guest' }), { commit: 'abc' })
    await startCanary(store, asking, { percent: 0, users: ['ann@north.example'] }, by)
    expect(await findGuest(store)).toBeUndefined()
    const { canaries = [] } = (await readRegistry(store))!
    const mixed = await composeSnapshot(store, applyCanaries(await readLive(store), canaries))
    expect(mixed.page.remotes[0]).toMatchObject({ releaseId: asking.releaseId, guest: { calls: [] } })
    await put(store, aReport('three'))
    expect(await findGuest(store)).toBeUndefined()

    await startCanary(store, asking, { percent: 10 }, by)
    await promoteCanary(store, 'remote-report', { ...by, percent: 100 })
    await put(store, aReport('four'))
    expect(await findGuest(store)).toEqual({ calls: [] })
  })

  it('is one from its first release on where the registry said so before, also as a canary and in a preview', async () => {
    const store = await aStoreWithHost()
    await setTrust(store, { part: 'remote-report', isGuest: true }, by)
    await put(store, aReport('one'))
    expect(await findGuest(store)).toEqual({ calls: [] })
    const next = await publish(store, aReport('two'), { commit: 'abc' })
    const live = await readLive(store)
    const previewed = await composeSnapshot(store, replaceReleases(live, [next]))
    expect(previewed.page.remotes[0]?.guest).toEqual({ calls: [] })
    await startCanary(store, next, { percent: 10 }, by)
    const { canaries = [] } = (await readRegistry(store))!
    const mixed = await composeSnapshot(store, applyCanaries(await readLive(store), canaries))
    expect(mixed.page.remotes[0]).toMatchObject({ releaseId: next.releaseId, guest: { calls: [] } })
  })

  it('changes nothing else: who gets other releases of it, and of other parts, still does', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one'))
    const next = await publish(store, aReport('two'), { commit: 'abc' })
    await startCanary(store, next, { percent: 10 }, by)
    const before = (await readRegistry(store))!
    for (const isGuest of [true, false]) {
      await setTrust(store, { part: 'remote-report', isGuest }, by)
      const { canaries } = (await readRegistry(store))!
      expect(canaries).toEqual(before.canaries)
      expect(await readLive(store)).toEqual({
        ...(await readSnapshot(store, before.live)),
        ...(isGuest && { guests: ['remote-report'] }),
      })
    }
  })

  it('is not on pages of a host that would run it in the page', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one', { trust: 'guest' }))
    await put(store, aHost('1.11.0'))
    expect((await compose(store, (await readRegistry(store))!.live)).page.remotes).toEqual([])
  })

  it('is refused a closed call before it goes live', async () => {
    const store = await aStoreWithHost()
    const release = await publish(store, aReport('one', { trust: 'guest', calls: ['POST /ApiToken/add'] }), {
      commit: 'abc',
    })
    const snapshot = replaceReleases(await readLive(store), [release])
    const findings = await judgeDocuments(store, snapshot, ['remote-report'])
    expect(findings.find(({ check }) => check === 'calls')).toMatchObject({
      passed: false,
      says: 'remote-report is a guest and makes the call POST /ApiToken/add, which no guest may make.',
    })
  })
})

describe('npm run release -- trust', () => {
  captureOutput()

  it('makes a guest, and a part of the page again, with who and why in the history', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one'))
    expect(await runOn(store, ['trust', 'remote-report', '--as', 'guest', '--reason', 'another company'])).toBe(0)
    expect(await findGuest(store)).toEqual({ calls: [] })
    expect((await readRegistry(store))!.history[0]).toMatchObject({
      by: 'ann',
      parts: ['remote-report'],
      reason: 'a guest from now on: another company',
    })
    expect(await runOn(store, ['trust', 'remote-report', '--as', 'page'])).toBe(0)
    expect(await findGuest(store)).toBeUndefined()
    expect((await readLive(store)).guests).toBeUndefined()
  })

  it('is said by status, with why', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one', { trust: 'guest' }))
    await runOn(store, ['status'])
    expect(printed.at(-1)).toContain('remote-report: its live release asks for it')
    await put(store, aReport('two'))
    await runOn(store, ['status'])
    expect(printed.at(-1)).toContain('remote-report: the registry holds it as one')
  })

  it('does not trust a part whose live release asks to be a guest', async () => {
    const store = await aStoreWithHost()
    await put(store, aReport('one', { trust: 'guest' }))
    expect(await runOn(store, ['trust', 'remote-report', '--as', 'page'])).toBe(1)
    expect(printed.at(-1)).toMatch(/^The live release of remote-report asks to be a guest\./)
    expect(await findGuest(store)).toEqual({ calls: [] })
  })

  it.each([
    [['trust', 'remote-report'], 1, 'Say how: --as guest, or --as page.'],
    [['trust', 'host', '--as', 'guest'], 1, 'Name a remote: npm run release -- trust remote-report --as guest'],
    [['trust', 'remote-report', '--as', 'friend'], 2, '--as is guest or page.'],
    [['trust', 'remote-report', '--as', 'page', '--to', 'https://dmp.example'], 1, 'needs the store'],
  ])('refuses %j', async (words, code, sentence) => {
    const store = await aStoreWithHost()
    expect(await runOn(store, words)).toBe(code)
    expect(printed.join('')).toContain(sentence)
  })
})
