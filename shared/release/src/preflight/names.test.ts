import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { activate } from '../activate.ts'
import { namesCommand } from '../commands/names.ts'
import type { CommandOptions } from '../commands/command.ts'
import { publish } from '../publish.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'
import { findDeprecatedNames, knownDeprecatedNames } from './names.ts'
import { judgeDocuments } from './preflight.ts'
import { readRegistry, readSnapshot } from '../store/ReleaseStore.ts'

const [old] = knownDeprecatedNames.filter(({ name }) => name === '@dmp/kit isPassing')

async function published(names: unknown) {
  const store = aStore()
  const dist = aBuild('remote-scan', 'one')
  mkdirSync(dist, { recursive: true })
  if (names !== undefined)
    writeFileSync(path.join(dist, 'names.json'), typeof names === 'string' ? names : JSON.stringify(names))
  const host = await publish(store, aBuild('host', 'one'), { commit: 'abc' })
  const release = await publish(store, dist, { commit: 'abc' })
  await activate(store, { parts: [host, release] }, { by: 'test' })
  return { store, release }
}

describe('deprecated names that a release takes [P58]', () => {
  it.each([
    ['by name', { '@dmp/kit': ['isPassing', 'isTemporary'] }, [old]],
    ['another of the same module', { '@dmp/kit': ['isTemporary'] }, []],
    ['the same of another module', { '@dmp/kit/table': ['isPassing'] }, []],
    ['where nothing is said', undefined, undefined],
    ['where nobody can read what is said', '[', undefined],
  ])('%s', async (_how, names, found) => {
    const { store, release } = await published(names)
    expect(await findDeprecatedNames(store, release)).toEqual(found)
  })

  it('of a whole module are all of its deprecated ones', async () => {
    const { store, release } = await published({ '@dmp/kit': ['*'] })
    const ofKit = knownDeprecatedNames.filter(({ name }) => name.startsWith('@dmp/kit '))
    expect(ofKit.length).toBeGreaterThan(1)
    expect(await findDeprecatedNames(store, release)).toEqual(ofKit)
  })

  it('are told to its team and refuse nothing', async () => {
    const { store } = await published({ '@dmp/kit': ['isPassing'] })
    const live = await readSnapshot(store, (await readRegistry(store))!.live)
    const finding = (await judgeDocuments(store, live, ['remote-scan'])).find(({ check }) => check === 'names')
    expect(finding).toMatchObject({
      passed: true,
      says: 'remote-scan takes names that leave with the next major version: @dmp/kit isPassing (since 1.2: `isTemporary`).',
    })
  })

  it('are counted over all that is live, and who says nothing is named', async () => {
    const { store, release } = await published({ '@dmp/kit': ['isPassing'] })
    const { json, text } = await namesCommand.run({ store } as unknown as CommandOptions)
    const { names, silent } = json as { names: { name: string; usedBy: { name: string }[] }[]; silent: object[] }
    expect(names.filter(({ usedBy }) => usedBy.length > 0)).toEqual([
      { ...old, usedBy: [{ name: 'remote-scan', releaseId: release.releaseId }] },
    ])
    expect(silent).toEqual([expect.objectContaining({ name: 'host' })])
    expect(text).toContain(`remote-scan ${release.releaseId}`)
  })
})
