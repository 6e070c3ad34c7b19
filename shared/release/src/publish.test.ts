import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { publish } from './publish.ts'
import { toIntegrity } from './store/releaseFiles.ts'
import { releaseKey, listReleases, StoreError } from './store/ReleaseStore.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const options = { commit: 'abc' }

describe('publishing a build', () => {
  it('names the release by its content: the same files give the same release, other files another', async () => {
    const store = aStore()
    const first = await publish(store, aBuild('remote-scan', 'one'), { ...options, at: '2026-01-01T00:00:00.000Z' })
    const again = await publish(store, aBuild('remote-scan', 'one'), { commit: 'other commit' })
    const other = await publish(store, aBuild('remote-scan', 'two'), options)
    expect(again).toEqual(first)
    expect(other.releaseId).not.toBe(first.releaseId)
    expect((await listReleases(store, 'remote-scan')).map(({ releaseId }) => releaseId)).toEqual([
      other.releaseId,
      first.releaseId,
    ])
  })

  it('makes another release when only the declaration changed', async () => {
    const store = aStore()
    const first = await publish(store, aBuild('remote-scan', 'one'), options)
    const two = await publish(store, aBuild('remote-scan', 'one', { routes: ['/scan', '/share'] }), options)
    expect(two.releaseId).not.toBe(first.releaseId)
  })

  it('keeps the hash and the sizes of every file, and compressed copies beside it', async () => {
    const store = aStore()
    const release = await publish(store, aBuild('remote-scan', 'x'.repeat(5000)), options)
    const folder = path.join(store.folder, releaseKey('remote-scan', release.releaseId, ''))
    expect(release.files.map((file) => file.path)).toEqual(['App.js', 'remoteEntry.js'])
    for (const file of release.files) {
      const content = readFileSync(path.join(folder, file.path))
      expect(toIntegrity(content)).toBe(file.integrity)
      expect(content.length).toBe(file.bytes)
      expect(gunzipSync(readFileSync(path.join(folder, `${file.path}.gz`)))).toEqual(content)
      expect(brotliDecompressSync(readFileSync(path.join(folder, `${file.path}.br`)))).toEqual(content)
      expect(file.brotli).toBeLessThan(file.bytes)
    }
  })

  it('takes the files of folders too, under their paths', async () => {
    const dist = aBuild('remote-scan', 'one')
    mkdirSync(path.join(dist, 'assets/deeper'), { recursive: true })
    writeFileSync(path.join(dist, 'assets/deeper/logo.svg'), '<svg/>')
    expect((await publish(aStore(), dist, options)).files.map((file) => file.path)).toEqual([
      'App.js',
      'assets/deeper/logo.svg',
      'remoteEntry.js',
    ])
  })

  it('lets two publish the same build at the same time', async () => {
    const store = aStore()
    const [a, b] = await Promise.all([
      publish(store, aBuild('host', 'one'), options),
      publish(store, aBuild('host', 'one'), options),
    ])
    expect(a.releaseId).toBe(b.releaseId)
    expect(await listReleases(store, 'host')).toHaveLength(1)
  })

  it('refuses a build that lacks a file it names, and leaves nothing behind', async () => {
    const store = aStore()
    const dist = aBuild('remote-scan', 'one', { record: { chunks: { './App': ['gone.js'] } } })
    await expect(publish(store, dist, options)).rejects.toThrow(/lacks gone\.js/)
    expect(await listReleases(store, 'remote-scan')).toEqual([])
  })

  it.each([
    ['a route with a trailing slash', { routes: ['/scan/'] }],
    ['a part with a foreign name', { record: { name: '../outside' } }],
    ['a file outside the folder', { record: { entry: '../secret.js' } }],
  ])('refuses %s with the place in the build', async (_what, over) => {
    await expect(publish(aStore(), aBuild('remote-scan', 'one', over), options)).rejects.toThrow(StoreError)
  })

  it('says that a folder without a finished build must be built first', async () => {
    const dist = aBuild('remote-scan', 'one')
    writeFileSync(path.join(dist, 'build.json'), '')
    await expect(publish(aStore(), path.join(dist, 'nothing'), options)).rejects.toThrow(/Build it first/)
  })
})
