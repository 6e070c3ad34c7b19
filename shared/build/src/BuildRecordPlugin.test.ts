import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BuildRecord } from '@dmp/contract/release'
import type { Compiler, Configuration } from 'webpack'
import { typescriptRule } from './baseConfig.ts'
import { BuildError, compile } from './build.ts'
import { BuildRecordPlugin } from './BuildRecordPlugin.ts'
import { remoteFederation } from './federation.ts'

async function buildRecord(changes: (folder: string) => Partial<Configuration>): Promise<BuildRecord> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-record-'))
  writeFileSync(path.join(folder, 'main.js'), `import(/* webpackChunkName: "study" */ './study.js')`)
  writeFileSync(path.join(folder, 'study.js'), `import { memo } from 'react'\nexport const App = memo`)
  await compile({
    name: 'test',
    mode: 'production',
    context: folder,
    target: ['web', 'es2022'],
    output: { path: path.join(folder, 'dist'), uniqueName: 'test', filename: '[name].js' },
    cache: false,
    ...changes(folder),
  })
  return JSON.parse(readFileSync(path.join(folder, 'dist/build.json'), 'utf8')) as BuildRecord
}
const nothingShared = { provides: {}, consumes: {} }

describe('the record of a build', () => {
  it('names the first script and the scripts that come later', async () => {
    const record = await buildRecord(() => ({
      entry: { main: './main.js' },
      externals: { react: 'window.react' },
      plugins: [new BuildRecordPlugin('viewer', undefined, nothingShared)],
    }))
    expect(record).toEqual({
      name: 'viewer',
      entry: 'main.js',
      initial: [],
      chunks: { './study': ['study.js'] },
      uses: {},
      ...nothingShared,
    })
  })

  it('says for each exposed module of a remote which shared modules it takes from the host', async () => {
    const consumes = { react: '^19.0.0' }
    const record = await buildRecord(() => ({
      entry: {},
      plugins: [
        remoteFederation('remote-test', { './App': './study.js' }),
        new BuildRecordPlugin('remote-test', undefined, { provides: {}, consumes }),
      ],
    }))
    expect(record).toMatchObject({
      entry: 'remoteEntry.js',
      chunks: { './App': ['App.js'] },
      uses: { './App': ['react'] },
      consumes,
    })
  })

  it('says which files a screen has that comes apart from the others, by its folder', async () => {
    const record = await buildRecord((folder) => {
      mkdirSync(path.join(folder, 'worklist'))
      writeFileSync(path.join(folder, 'worklist/WorklistScreen.tsx'), `import 'react'\nexport const one = 1`)
      writeFileSync(path.join(folder, 'worklist/DetailScreen.tsx'), `export const two = 2`)
      writeFileSync(path.join(folder, 'worklist/zip.tsx'), `export const three = 3`)
      writeFileSync(
        path.join(folder, 'App.js'),
        `export const App = () => [import('./worklist/WorklistScreen.tsx'), import('./worklist/DetailScreen.tsx'), import('./worklist/zip.tsx')]`,
      )
      return {
        entry: {},
        module: { rules: [typescriptRule] },
        optimization: { chunkIds: 'named' },
        plugins: [
          remoteFederation('remote-test', { './App': './App.js' }),
          new BuildRecordPlugin('remote-test', undefined, { provides: {}, consumes: { react: '^19.0.0' } }),
        ],
      }
    })
    expect(record.chunks).toEqual({ './App': ['App.js'], './App/worklist': ['worklist_WorklistScreen_tsx.js'] })
    expect(record.uses['./App/worklist']).toEqual(['react'])
  })

  it('leaves out what only brings an update to open pages', async () => {
    const withUpdate = {
      apply: (compiler: Compiler) =>
        compiler.hooks.thisCompilation.tap('Update', (compilation) =>
          compilation.hooks.processAssets.tap('Update', () => {
            for (const chunk of compilation.chunks) {
              compilation.emitAsset(`${chunk.name}.1.hot-update.js`, new compiler.webpack.sources.RawSource(''))
              chunk.files.add(`${chunk.name}.1.hot-update.js`)
            }
          }),
        ),
    }
    const record = await buildRecord(() => ({
      entry: { main: './main.js' },
      externals: { react: 'window.react' },
      plugins: [withUpdate, new BuildRecordPlugin('viewer', undefined, nothingShared)],
    }))
    expect(record).toMatchObject({ entry: 'main.js', initial: [], chunks: { './study': ['study.js'] } })
  })

  it('cannot be made without an entry point: the build fails and says so', async () => {
    const building = buildRecord(() => ({
      entry: {},
      plugins: [new BuildRecordPlugin('remote-test', undefined, nothingShared)],
    }))
    await expect(building).rejects.toThrow(/remote-test has no entry point/)
  })
})

describe('sources that do not compile', () => {
  it('fail the build with the part, the file and the reason', async () => {
    const building = buildRecord((folder) => {
      writeFileSync(path.join(folder, 'broken.js'), `import './missing.js'`)
      return { entry: { main: './broken.js' } }
    })
    await expect(building).rejects.toThrow(BuildError)
    await expect(building).rejects.toThrow(/^test does not compile\.[^]*broken\.js[^]*missing\.js/)
  })
})
