import { activate } from './activate.ts'
import { receivesCanary, promoteCanary, startCanary, stopCanary } from './canary.ts'
import { ReleaseRefused } from './ReleaseRefused.ts'
import { publish } from './publish.ts'
import { readRegistry, readSnapshot, StoreError, Superseded } from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const by = { by: 'test' }
const people = Array.from({ length: 2000 }, (_, index) => ({ key: `person ${index}`, isNamed: () => false }))
const canary = (percent: number, releaseId = 'a'.repeat(16)) => ({ name: 'remote-scan', releaseId, percent, users: [] })
const chosen = (of: ReturnType<typeof canary>) => people.filter((person) => receivesCanary(of, person))

const put = (store: ReturnType<typeof aStore>, name: string, code: string, over = {}) =>
  publish(store, aBuild(name, code, over), { commit: 'abc' })

async function live() {
  const store = aStore()
  const parts = await Promise.all(['host', 'remote-scan', 'remote-user'].map((name) => put(store, name, 'one')))
  await activate(store, { parts }, by)
  return store
}

describe('who gets a canary', () => {
  it('is about the share that was asked for', () => {
    for (const percent of [1, 10, 50]) expect(Math.abs(chosen(canary(percent)).length / 20 - percent)).toBeLessThan(3)
    expect(chosen(canary(0))).toEqual([])
    expect(chosen(canary(100))).toHaveLength(2000)
  })

  it('stays with it when the share grows', () => {
    const many = new Set(chosen(canary(50)))
    for (const person of chosen(canary(10))) expect(many.has(person)).toBe(true)
  })

  it('is not always the same people, release after release', () => {
    const first = new Set(chosen(canary(10)))
    expect(chosen(canary(10, 'b'.repeat(16))).filter((person) => first.has(person)).length).toBeLessThan(100)
  })

  it('is whoever is named, whatever the share', () => {
    const named = { ...canary(0), users: ['ada@north.example'] as string[] }
    expect(receivesCanary(named, { key: 'x', isNamed: (email) => email === 'ada@north.example' })).toBe(true)
    expect(receivesCanary(named, { key: 'x', isNamed: (email) => email === 'bob@north.example' })).toBe(false)
  })
})

it('a canary goes to more people from the share that somebody saw, and not from another one', async () => {
  const store = await live()
  const scan = await put(store, 'remote-scan', 'two')
  await startCanary(store, scan, { percent: 10 }, by)
  const to = (fromPercent: number, percent?: number) =>
    promoteCanary(store, 'remote-scan', { from: scan.releaseId, fromPercent, ...by, ...(percent && { percent }) })
  const share = async () => (await readRegistry(store))?.canaries?.[0]?.percent
  await expect(to(50)).rejects.toBeInstanceOf(Superseded)
  expect(await share()).toBe(10)
  await to(10)
  expect(await share()).toBe(50)
  // The second of two people who pressed the same button.
  await expect(to(10)).rejects.toThrow('goes to another share of the people by now')
  await to(50, 99)
  expect(await share()).toBe(99)
  await to(99, 100)
  expect(await share()).toBeUndefined()
})

describe('canaries of several parts', () => {
  it('stand beside one another, and activating a part ends its own only', async () => {
    const store = await live()
    const [scan, user] = [await put(store, 'remote-scan', 'two'), await put(store, 'remote-user', 'two')]
    await startCanary(store, scan, { percent: 10 }, by)
    await startCanary(store, user, { percent: 1 }, by)
    expect((await readRegistry(store))?.canaries).toHaveLength(2)
    const registry = await activate(store, { parts: [await put(store, 'remote-scan', 'three')] }, by)
    expect(registry.canaries).toEqual([{ name: 'remote-user', releaseId: user.releaseId, percent: 1, users: [] }])
  })

  it('keep who was named while the same release goes to more people, and nobody with another one', async () => {
    const store = await live()
    const scan = await put(store, 'remote-scan', 'two')
    const users = ['ann@north.example']
    await startCanary(store, scan, { percent: 0, users }, by)
    expect((await startCanary(store, scan, { percent: 10 }, by)).canaries).toMatchObject([{ percent: 10, users }])
    const next = await put(store, 'remote-scan', 'three')
    expect((await startCanary(store, next, { percent: 10 }, by)).canaries).toMatchObject([{ percent: 10, users: [] }])
  })

  it('are told apart in the history, which names the one that ended', async () => {
    const store = await live()
    await startCanary(store, await put(store, 'remote-scan', 'two'), { percent: 10 }, by)
    await startCanary(store, await put(store, 'remote-user', 'two'), { percent: 1 }, by)
    const { history } = await stopCanary(store, 'remote-scan', by)
    expect(history[0]).toMatchObject({ change: 'stop', parts: ['remote-scan'], canary: { name: 'remote-scan' } })
  })

  it('end one by one: the release of a canary, activated for everybody, leaves none of it', async () => {
    const store = await live()
    const scan = await put(store, 'remote-scan', 'two')
    await startCanary(store, scan, { percent: 10 }, by)
    const registry = await activate(store, { parts: [scan] }, by)
    expect([registry.version, registry.canaries]).toEqual([3, undefined])
    expect((await readSnapshot(store, registry.live)).remotes[0]).toMatchObject({ releaseId: scan.releaseId })
  })

  it('are refused when they fit what is live but not each other', async () => {
    const store = await live()
    await startCanary(
      store,
      await put(store, 'remote-scan', 'two', { routes: ['/scan', '/share'] }),
      { percent: 1 },
      by,
    )
    const other = await put(store, 'remote-user', 'two', { routes: ['/user', '/share'] })
    await expect(startCanary(store, other, { percent: 1 }, by)).rejects.toThrow(ReleaseRefused)
    expect((await readRegistry(store))?.canaries).toHaveLength(1)
  })

  it('hold back an activation that they would not fit', async () => {
    const store = await live()
    await startCanary(
      store,
      await put(store, 'remote-scan', 'two', { routes: ['/scan', '/share'] }),
      { percent: 1 },
      by,
    )
    await expect(
      activate(store, { parts: [await put(store, 'remote-user', 'two', { routes: ['/user', '/share'] })] }, by),
    ).rejects.toThrow(/both claim \/share/)
  })
})

describe('the way of a canary', () => {
  it('ends at 100 percent in being live, with the release before to fall back to', async () => {
    const store = await live()
    const previousRelease = (await readSnapshot(store, (await readRegistry(store))!.live)).remotes[0]!
    const release = await put(store, 'remote-scan', 'two')
    await startCanary(store, release, { percent: 1 }, by)
    const registry = await promoteCanary(store, 'remote-scan', { ...by, percent: 100 })
    expect(registry.canaries).toBeUndefined()
    expect((await readSnapshot(store, registry.live)).remotes[0]).toEqual({
      name: 'remote-scan',
      releaseId: release.releaseId,
      previous: previousRelease.releaseId,
    })
    expect(registry.history[0]).toMatchObject({ change: 'promote', parts: ['remote-scan'] })
  })

  it('is stopped once, whoever asks at the same moment, and never for another release', async () => {
    const store = await live()
    const { name, releaseId } = await put(store, 'remote-scan', 'two')
    await startCanary(store, { name, releaseId }, { percent: 1 }, by)
    await expect(stopCanary(store, name, { ...by, from: 'f'.repeat(16) })).rejects.toThrow(Superseded)
    expect((await readRegistry(store))?.canaries).toHaveLength(1)
    const all = await Promise.allSettled([1, 2, 3].map(() => stopCanary(store, name, { ...by, from: releaseId })))
    expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect((await readRegistry(store))?.history.filter(({ change }) => change === 'stop')).toHaveLength(1)
  })

  it.each([
    [
      'there is none',
      (store: ReturnType<typeof aStore>) => promoteCanary(store, 'remote-scan', by),
      /remote-scan has no canary/,
    ],
    [
      'everybody has it already',
      async (store: ReturnType<typeof aStore>) =>
        startCanary(store, await put(store, 'remote-scan', 'one'), { percent: 1 }, by),
      /already live for everyone/,
    ],
    [
      'nothing is live',
      async () => startCanary(aStore(), { name: 'remote-scan', releaseId: 'a'.repeat(16) }, { percent: 1 }, by),
      /Nothing is live/,
    ],
  ])('says so when %s', async (_what, attempt, said) => {
    const going = attempt(await live())
    await expect(going).rejects.toThrow(StoreError)
    await expect(going).rejects.toThrow(said)
  })
})
