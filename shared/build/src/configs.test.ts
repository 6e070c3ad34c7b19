import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import type { Configuration } from 'webpack'
import { BuildRecordPlugin } from './BuildRecordPlugin.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'
import { hostConfig } from './hostConfig.ts'
import { HostSharedModulesPlugin } from './HostSharedModulesPlugin.ts'
import { PrivateMapsPlugin } from './PrivateMapsPlugin.ts'
import { exposedModules, remoteConfig } from './remoteConfig.ts'
import { staticConfig } from './staticConfig.ts'
import { viewerConfig } from './viewerConfig.ts'
import { listParts, workspace } from './workspace.ts'

const folderOf = (part: string): string => path.join(workspace, part)
const has = ({ plugins = [] }: Configuration, type: new (...args: never[]) => unknown): boolean =>
  plugins.some((plugin) => plugin instanceof type)
const configurations: [part: string, configuration: Configuration][] = [
  ['host', hostConfig(folderOf('host'))('production')],
  ['remote-scan', remoteConfig(folderOf('remote-scan'))('production')],
  ['viewer', viewerConfig(folderOf('viewer'))('production')],
]

describe.each(configurations)('the configuration of %s', (part, configuration) => {
  it('names files by their content and empties the folder that it writes to', () => {
    expect(configuration.output).toMatchObject({
      path: path.join(folderOf(part), 'dist'),
      clean: true,
      publicPath: 'auto',
      uniqueName: part,
      crossOriginLoading: 'anonymous',
      // Over a slow line the viewer's code takes longer than a part of the application may.
      chunkLoadTimeout: part === 'viewer' ? 120_000 : 5000,
    })
    const name = configuration.output?.chunkFilename as (data: unknown) => string
    expect(name({ chunk: { contentHash: { javascript: 'abc' } } })).toBe('[name].[contenthash:8].js')
    expect(name({ chunk: {} })).toBe('[name].js')
  })

  it('notes what was built, and has no source maps in a release but private ones of what pages report', () => {
    expect(has(configuration, BuildRecordPlugin)).toBe(true)
    expect(configuration.devtool).toBe(false)
    expect(has(configuration, PrivateMapsPlugin)).toBe(part !== 'viewer')
  })

  it('caches apart from other parts, other modes and other toolchains', () => {
    expect(configuration.cache).toMatchObject({
      name: `${part}-production`,
      version: expect.stringMatching(/^\w{16}$/),
    })
  })
})

describe('what differs between the parts', () => {
  const [host, remote, viewer] = configurations.map(([, configuration]) => configuration)

  it('host and remotes federate and check their later scripts; the viewer stands alone', () => {
    for (const plugin of [ModuleFederationPlugin, ChunkIntegrityPlugin])
      expect([has(host!, plugin), has(remote!, plugin), has(viewer!, plugin)]).toEqual([true, true, false])
    expect([has(host!, HostSharedModulesPlugin), has(remote!, HostSharedModulesPlugin)]).toEqual([false, true])
  })

  it('a remote has one script per exposed module, and no entry point but its container', () => {
    expect(remote).toMatchObject({ entry: {}, optimization: { splitChunks: false } })
    expect(host?.optimization?.splitChunks).toMatchObject({ chunks: 'async' })
  })

  it('the viewer resolves the Node modules that its codecs import', () => {
    const alias = viewer?.resolve?.alias as Record<string, string>
    for (const module of ['events', 'url']) expect(path.isAbsolute(alias[module]!)).toBe(true)
  })

  it('a remote exposes cards and searches only if it has them', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dmp-part-'))
    expect(exposedModules(folder)).toEqual({ './App': './src/index.ts' })
    expect(exposedModules(folderOf('remote-scan'))).toEqual({
      './App': './src/index.ts',
      './cards': './src/cards.ts',
      './search': './src/search.ts',
    })
  })
})

describe('the mode of a build', () => {
  it.each([
    ['our build passes it', ['development'], 'development'],
    ['webpack passes its arguments', [{}, { mode: 'development' }], 'development'],
    ['nobody says it', [{}, {}], 'production'],
  ] as const)('where %s', (_who, args, mode) => {
    const configuration = viewerConfig(folderOf('viewer'))(...(args as unknown as ['development']))
    expect(configuration.mode).toBe(mode)
    expect(configuration.devtool).toBe(mode === 'development' ? 'cheap-module-source-map' : false)
  })
})

describe('the statically composed application', () => {
  const output = mkdtempSync(path.join(tmpdir(), 'dmp-static-'))
  const configuration = staticConfig(output)('production')

  it('is built from the host without federation, into the given folder', () => {
    expect(has(configuration, ModuleFederationPlugin)).toBe(false)
    expect(configuration).toMatchObject({
      context: folderOf('host'),
      output: { path: output, uniqueName: 'static' },
      cache: { name: 'static-production' },
    })
  })
})

describe('the parts of a workspace', () => {
  it('are the host, the viewer and every remote that can be built', () => {
    const parts = listParts()
    expect(parts.filter(({ kind }) => kind === 'host').map(({ name }) => name)).toEqual(['host'])
    expect(parts.filter(({ kind }) => kind === 'viewer').map(({ name }) => name)).toEqual(['viewer'])
    for (const { name, kind } of parts) expect(kind === 'remote').toBe(name.startsWith('remote-'))
    expect(parts.length).toBeGreaterThan(3)
  })

  it('leave out folders without a webpack configuration, and folders of other names', () => {
    const root = mkdtempSync(path.join(tmpdir(), 'dmp-workspace-'))
    writeFileSync(path.join(root, 'remote-notes'), 'a file')
    expect(listParts(root)).toEqual([])
  })
})
