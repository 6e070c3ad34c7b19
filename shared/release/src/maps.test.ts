import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readMap } from './maps.ts'
import { publish } from './publish.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

const map = { version: 3, sources: ['src/App.tsx'], names: ['rows'], mappings: 'AAAAA' }

/** A build with a map in its folder of maps, or beside the script. */
function aMappedBuild(content: string, folder = 'private-maps'): string {
  const dist = aBuild('remote-scan', 'one')
  mkdirSync(path.join(dist, folder), { recursive: true })
  writeFileSync(path.join(dist, folder, 'App.js.map'), content)
  return dist
}

describe('the maps of a release [P84]', () => {
  it.each(['private-maps', '.'])(
    'from %s lie beside it and are none of its files, without the sources',
    async (folder) => {
      const store = aStore()
      const dist = aMappedBuild(JSON.stringify({ ...map, file: 'App.js', sourcesContent: ['secret()'] }), folder)
      const release = await publish(store, dist, { commit: 'abc' })
      expect(release.files.map(({ path: file }) => file)).toEqual(['App.js', 'remoteEntry.js'])
      expect(await store.list(`remote-scan/${release.releaseId}`)).not.toContainEqual(expect.stringContaining('map'))
      expect(await readMap(store, release, 'App.js')).toEqual(map)
      expect(await readMap(store, release, 'remoteEntry.js')).toBeUndefined()
    },
  )

  it('change nothing of its name, so that a release of before gets them too', async () => {
    const store = aStore()
    const before = await publish(store, aBuild('remote-scan', 'one'), { commit: 'abc' })
    const release = await publish(store, aMappedBuild(JSON.stringify(map)), { commit: 'def' })
    expect(release).toEqual(before)
    expect(await readMap(store, release, 'App.js')).toEqual(map)
  })

  it.each([
    ['is no JSON', 'x', 'App.js.map is not a source map.'],
    ['has parts instead of positions', '{"version":3,"sections":[]}', 'App.js.map is not a source map.'],
    ['is too long', JSON.stringify({ ...map, mappings: 'A'.repeat(3_000_001) }), 'It has more than 3000000 bytes.'],
  ])('are refused where one %s', async (_what, content, says) => {
    await expect(publish(aStore(), aMappedBuild(content), { commit: 'abc' })).rejects.toThrow(says)
  })

  it('are refused where one is of no script of the release', async () => {
    const dist = aMappedBuild(JSON.stringify(map))
    writeFileSync(path.join(dist, 'private-maps/other.js.map'), JSON.stringify(map))
    await expect(publish(aStore(), dist, { commit: 'abc' })).rejects.toThrow('other.js.map is the map of no script')
  })
})
