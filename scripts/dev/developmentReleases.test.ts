import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildRecord } from '../../shared/contract/src/release.ts'
import { compose, openFolderStore, readRegistry } from '../../shared/release/src/index.ts'
import { openDevelopmentReleases } from './developmentReleases.ts'

const host: BuildRecord = {
  name: 'host',
  entry: 'main.js',
  initial: ['main.css'],
  chunks: {},
  uses: {},
  provides: { '@dmp/kit': '1.0.0' },
  consumes: {},
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-development-'))
  process.env.DMP_DATA_DIR = folder
})
afterEach(() => {
  delete process.env.DMP_DATA_DIR
  rmSync(folder, { recursive: true, force: true })
})

describe('the releases of npm run dev', () => {
  it('tell the server which files a page needs, and say so again only when that has changed', async () => {
    const releases = openDevelopmentReleases()
    const store = openFolderStore(releases.folder)
    await releases.publish([host])
    const first = await readRegistry(store)
    await releases.publish([host])
    expect((await readRegistry(store))?.version).toBe(first?.version)
    await releases.publish([{ ...host, initial: ['main.css', 'more.css'] }])
    const next = await readRegistry(store)
    expect(next?.version).toBe((first?.version ?? 0) + 1)
    const { host: live } = await compose(store, next?.live ?? '')
    const texts = ['ar', 'de', 'es', 'fr', 'ja'].map((language) => `texts/${language}.json`)
    expect(live.files.map(({ path }) => path)).toEqual(['main.js', 'main.css', 'more.css', ...texts])
  })

  it('begin anew with each start, apart from the releases that were published', async () => {
    await openDevelopmentReleases().publish([host])
    const { folder: again } = openDevelopmentReleases()
    expect(again).toBe(join(folder, 'development'))
    expect(await readRegistry(openFolderStore(again))).toBeUndefined()
  })
})
