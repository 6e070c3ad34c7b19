import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { saveBaseline, baselineFolder, unpackBaseline } from './baseline.ts'
import { publish } from './publish.ts'
import { toIntegrity } from './store/releaseFiles.ts'
import { readRelease, releaseKey } from './store/ReleaseStore.ts'
import { aBuild, aFolder, aStore } from './testing/aBuild.ts'

async function createBaseline() {
  const store = aStore()
  const release = await publish(store, aBuild('remote-scan', 'x'.repeat(2000)), { commit: 'abc' })
  const folder = aFolder()
  await saveBaseline(store, 'remote-scan', release.releaseId, folder)
  return { release, folder }
}

describe('releases that are kept', () => {
  it('lie in their smallest form, one of each part, and come back as they were', async () => {
    const { release, folder } = await createBaseline()
    expect(readdirSync(path.join(folder, 'remote-scan')).sort()).toEqual([
      'App.js.br',
      'release.json',
      'remoteEntry.js.br',
    ])
    const other = aStore()
    expect(await unpackBaseline(other, folder)).toEqual([release])
    expect(await readRelease(other, 'remote-scan', release.releaseId)).toEqual(release)
    for (const { path: file, integrity } of release.files) {
      expect(toIntegrity((await other.read(releaseKey('remote-scan', release.releaseId, file)))!)).toBe(integrity)
      expect(await other.read(releaseKey('remote-scan', release.releaseId, `${file}.gz`))).toBeDefined()
    }
    expect(await unpackBaseline(other, folder)).toHaveLength(1)
  })

  it('hold pictures as they are: these do not become smaller', async () => {
    const build = aBuild('remote-scan', 'x'.repeat(2000))
    writeFileSync(path.join(build, 'logo.png'), 'a picture')
    const store = aStore()
    const release = await publish(store, build, { commit: 'abc' })
    const folder = aFolder()
    await saveBaseline(store, 'remote-scan', release.releaseId, folder)
    expect(readdirSync(path.join(folder, 'remote-scan'))).toContain('logo.png')
    const other = aStore()
    expect(await unpackBaseline(other, folder)).toEqual([release])
    const forms = await Promise.all(
      ['', '.br', '.gz'].map((ending) => other.read(releaseKey('remote-scan', release.releaseId, `logo.png${ending}`))),
    )
    expect(forms.map((form) => form?.toString())).toEqual(['a picture', undefined, undefined])
  })

  it('are not made of a store that has lost a file', async () => {
    const store = aStore()
    const { releaseId } = await publish(store, aBuild('remote-scan', 'x'.repeat(2000)), { commit: 'abc' })
    await store.remove(releaseKey('remote-scan', releaseId, 'App.js.br'))
    await expect(saveBaseline(store, 'remote-scan', releaseId, aFolder())).rejects.toThrow(
      /lacks App\.js\.br of remote-scan \w+\. Publish it again/,
    )
  })

  it('give way to the next one of the same part', async () => {
    const { folder } = await createBaseline()
    const store = aStore()
    const next = await publish(store, aBuild('remote-scan', 'y'.repeat(2000)), { commit: 'def' })
    await saveBaseline(store, 'remote-scan', next.releaseId, folder)
    expect((await unpackBaseline(aStore(), folder)).map(({ commit }) => commit)).toEqual(['def'])
  })

  it('are refused when somebody changed them', async () => {
    const { folder } = await createBaseline()
    const other = await createBaseline()
    const file = path.join(folder, 'remote-scan/App.js.br')
    writeFileSync(file, readFileSync(path.join(other.folder, 'remote-scan/remoteEntry.js.br')))
    await expect(unpackBaseline(aStore(), folder)).rejects.toThrow(
      /App\.js\.br differs from remote-scan \w+ as it was published/,
    )
  })

  it('in this repository are whole, of host and remotes, and small', async () => {
    const all = await unpackBaseline(aStore())
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['host', 'remote-scan']))
    for (const { commit } of all) expect(commit).toMatch(/^[0-9a-f]{7,40}$/)
    const sizes = readdirSync(baselineFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size)
    expect(Math.max(...sizes)).toBeLessThan(2_000_000)
  })
})
