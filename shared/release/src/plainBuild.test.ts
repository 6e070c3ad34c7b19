import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { release } from './cli.ts'
import { readRelease } from './store/ReleaseStore.ts'
import { aFolder, aStore } from './testing/aBuild.ts'
import { captureOutput, defaults, printed, printedJson } from './testing/releaseCommand.ts'

captureOutput()

const files = (...js: string[]) => ({ js: { sync: js, async: [] }, css: { sync: [], async: [] } })
const shared = (name: string, over: object = {}) => ({ name, singleton: true, requiredVersion: '^19.3.1', ...over })

/** What `@module-federation/enhanced` 2.9 writes, as far as it is read, beside a declaration. */
function aPlainBuild(metaData: object = {}): string {
  const folder = aFolder()
  const dist = path.join(folder, 'dist')
  mkdirSync(dist)
  const declaration = {
    name: 'remote-plain',
    title: 'Plain',
    version: '1.0.0',
    routes: [{ prefix: '/plain', guard: 'session' }],
    navigation: [],
    cards: [],
    needs: { contract: '^1.0.0', kit: '^1.0.0' },
  }
  const manifest = {
    name: 'remote_plain',
    metaData: {
      globalName: 'remote_plain',
      publicPath: 'auto',
      remoteEntry: { name: 'remoteEntry.js', path: '', type: 'global' },
      ...metaData,
    },
    shared: [
      shared('react', { assets: files() }),
      shared('dayjs', { singleton: false, requiredVersion: '^1.0.0', assets: files('12.js') }),
    ],
    exposes: [{ name: 'App', path: './App', assets: files('__federation_expose_App.js') }],
  }
  writeFileSync(path.join(folder, 'remote.json'), JSON.stringify(declaration))
  writeFileSync(path.join(dist, 'mf-manifest.json'), JSON.stringify(manifest))
  writeFileSync(path.join(dist, 'mf-stats.json'), '{}')
  for (const file of ['remoteEntry.js', '__federation_expose_App.js', '12.js'])
    writeFileSync(path.join(dist, file), file)
  return dist
}

const run = (dist: string, ...words: string[]) =>
  release(['publish', ...words, '--from', dist, '--json'], { ...defaults, store: store.folder })
let store: ReturnType<typeof aStore>
beforeEach(() => (store = aStore()))

it('publishes a build of plain Module Federation by its manifest and declaration', async () => {
  expect(await run(aPlainBuild())).toBe(0)
  const { releaseId } = printedJson().release as { releaseId: string }
  expect(await readRelease(store, 'remote-plain', releaseId)).toMatchObject({
    entry: 'remoteEntry.js',
    chunks: { './App': ['__federation_expose_App.js'] },
    consumes: { react: '^19.3.1' },
    files: [{ path: '12.js' }, { path: '__federation_expose_App.js' }, { path: 'remoteEntry.js' }],
  })
})

it.each<[string, object, string[], RegExp]>([
  ['a container that pages do not find', { globalName: 'plain' }, [], /Write name: 'remote_plain'/],
  ['files of an address of its own', { publicPath: '/' }, [], /Write publicPath: 'auto'/],
  ['a build of another part', {}, ['remote-other'], /is a build of remote-plain, not of remote-other/],
])('refuses %s, with the cure', async (_what, metaData, words, says) => {
  expect(await run(aPlainBuild(metaData), ...words)).toBe(1)
  expect(printed.at(-1)).toMatch(says)
})

it('says what a folder without a build lacks', async () => {
  expect(await run(aFolder())).toBe(1)
  expect(printed.at(-1)).toContain('neither build.json nor mf-manifest.json')
})
