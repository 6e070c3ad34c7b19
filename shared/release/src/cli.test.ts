import { activate } from './activate.ts'
import { release } from './cli.ts'
import { publish } from './publish.ts'
import { readRegistry, type Store } from './store.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const place = { dataFolder: '/nowhere', by: 'ann' }

async function twoMoves(): Promise<Store> {
  const store = aStore()
  for (const code of ['one', 'two']) {
    const releases = await Promise.all([publish(store, aBuild('host', 'one'), { commit: 'abc' }), publish(store, aBuild('remote-scan', code), { commit: 'abc' })])
    await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
  }
  return store
}

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  jest.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)))
})
afterEach(() => jest.restoreAllMocks())

describe('npm run release', () => {
  it('status names every live release, since when and by whom', async () => {
    const { folder } = await twoMoves()
    expect(await release(['status', '--store', folder, '--json'], place)).toBe(0)
    expect(JSON.parse(printed.join(''))).toMatchObject({
      version: 2,
      parts: [{ name: 'host', by: 'test', known: 1, previous: null }, { name: 'remote-scan', by: 'test', known: 2, previous: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown }],
    })
  })

  it('rollback puts one part back, with author and reason in the history', async () => {
    const store = await twoMoves()
    expect(await release(['rollback', 'remote-scan', '--store', store.folder, '--reason', 'rows were missing'], place)).toBe(0)
    expect(readRegistry(store)?.history[0]).toMatchObject({ change: 'rollback', parts: ['remote-scan'], by: 'ann', reason: 'rows were missing' })
    expect(await release(['history', '--store', store.folder, '--json'], place)).toBe(0)
    expect(JSON.parse(printed.at(-1) ?? '')).toHaveLength(3)
  })

  it('says what is wrong, with exit code 1 for a failure and 2 for words it does not know', async () => {
    expect(await release(['status', '--store', aStore().folder], place)).toBe(1)
    expect(printed.at(-1)).toMatch(/Nothing is live in this store yet/)
    expect(await release(['publish', 'remote-nothing', '--store', aStore().folder], place)).toBe(1)
    expect(printed.at(-1)).toMatch(/^Name a part: host, /)
    expect(await release(['destroy'], place)).toBe(2)
    expect(printed.at(-1)).toMatch(/There is no "destroy"/)
    expect(await release(['constructor'], place)).toBe(2)
  })
})
