import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import type { WebpackPluginInstance } from 'webpack'
import { containerGlobal, hostFederation, remoteFederation } from './federation.ts'
import { acceptedRanges, contractVersion, installedVersion, providedVersions, singletons } from './singletons.ts'

interface Shared {
  readonly singleton: boolean
  readonly eager?: boolean
  readonly import?: false
  readonly version?: string
  readonly requiredVersion: false
}
interface Options {
  readonly name: string
  readonly remotes?: Readonly<Record<string, string>>
  readonly exposes?: Readonly<Record<string, { readonly import: string; readonly name: string }>>
  readonly shared: Readonly<Record<string, Shared>>
  readonly shareStrategy: string
  readonly experiments: Readonly<Record<string, unknown>>
}

const kitFolder = path.resolve(import.meta.dirname, '../../kit')

function optionsOf(plugin: WebpackPluginInstance): Options {
  expect(plugin).toBeInstanceOf(ModuleFederationPlugin)
  return (plugin as unknown as { _options: Options })._options
}

describe('the host’s federation', () => {
  const options = optionsOf(hostFederation())

  it('provides every singleton, once, in the version that is installed', () => {
    expect(Object.keys(options.shared)).toEqual(Object.keys(singletons))
    for (const [module, shared] of Object.entries(options.shared)) {
      expect(shared).toMatchObject({ singleton: true, version: installedVersion(module) })
      expect(shared.import).toBeUndefined()
    }
  })

  it('has react in its first script, and forms and tables in scripts of their own', () => {
    const eager = Object.keys(options.shared).filter((module) => options.shared[module]?.eager)
    expect(eager).toEqual(expect.arrayContaining(['react', 'react/jsx-runtime', '@dmp/kit', '@dmp/kit/router']))
    expect(eager).not.toContain('@dmp/kit/form')
    expect(eager).not.toContain('@dmp/kit/table')
  })

  it('provides the runtime and names no remote', () => {
    expect(options.experiments).toMatchObject({ provideExternalRuntime: true })
    expect(options.remotes).toEqual({})
  })
})

describe('a remote’s federation', () => {
  const options = optionsOf(remoteFederation('remote-scan', { './App': './src/index.ts' }))

  it('takes every singleton from the host and can hold no copy of its own', () => {
    expect(Object.keys(options.shared)).toEqual(Object.keys(singletons))
    for (const shared of Object.values(options.shared))
      expect(shared).toEqual({ singleton: true, import: false, requiredVersion: false })
  })

  it('takes the runtime from the host', () => {
    expect(options.experiments).toMatchObject({
      externalRuntime: true,
      optimization: { disableRemote: true, disableShared: true },
    })
  })

  it('exposes each module as a chunk of the same name, in a global that scripts can name', () => {
    expect(options.exposes).toEqual({ './App': { import: './src/index.ts', name: 'App' } })
    expect([options.name, containerGlobal('remote-a-b')]).toEqual(['remote_scan', 'remote_a_b'])
  })

  it('does not let one remote decide whose modules all others get', () => {
    expect(options.shareStrategy).toBe('loaded-first')
  })
})

describe('versions of shared modules', () => {
  it('are exact where the host provides them, and the same for all entry points of a package', () => {
    const versions = providedVersions()
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+/)
    expect(versions['react/jsx-runtime']).toBe(versions.react)
    expect(versions['@dmp/kit/table']).toBe(versions['@dmp/kit'])
    expect(contractVersion()).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('are ranges of one major version where a remote takes them; of the kit, the range that the remote declares', () => {
    const ranges = acceptedRanges(kitFolder, '~1.4.0')
    expect(Object.keys(ranges)).toEqual(Object.keys(singletons))
    expect(ranges.react).toBe(`^${installedVersion('react')}`)
    expect([ranges['@dmp/kit'], ranges['@dmp/kit/form']]).toEqual(['~1.4.0', '~1.4.0'])
  })

  it('are of the React that the remote itself is built with, whichever the page has', () => {
    const journeys = path.resolve(import.meta.dirname, '../../../e2e')
    expect(acceptedRanges(journeys, '^1.12.0').react).toMatch(/^\^18\./)
  })

  it('hold no React where a remote brings its own: neither is it taken, nor what is drawn by it', () => {
    const taken = ['@dmp/kit', '@dmp/kit/router']
    expect(Object.keys(acceptedRanges(kitFolder, '^1.12.0', 'own'))).toEqual(taken)
    expect(Object.keys(optionsOf(remoteFederation('remote-scan', {}, 'own')).shared)).toEqual(taken)
  })
})
