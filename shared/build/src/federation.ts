import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import type webpack from 'webpack'
import { providedVersions, singletons } from './singletons.ts'

/** Name of the global variable that a remote's container script sets. */
export const containerGlobal = (name: string): string => name.replaceAll('-', '_')

const common = {
  // With 'version-first' one dead remote would blank the page, and shared modules come from the remote whose name sorts last.
  shareStrategy: 'loaded-first',
  // No manifest, no type downloads: the page's snapshot names every release with its hash.
  manifest: false,
  dts: false,
  dev: false,
} as const

const optimization = { disableSnapshot: true, target: 'web' } as const

/** The host provides every singleton and the federation runtime, alone; it names no remote, they come with the page's snapshot. */
export function hostFederation(): webpack.WebpackPluginInstance {
  const versions = providedVersions()
  return new ModuleFederationPlugin({
    ...common,
    name: 'host',
    remotes: {},
    shared: Object.fromEntries(
      Object.entries(singletons).map(([module, holding]) => [
        module,
        {
          singleton: true,
          eager: holding === 'first',
          version: versions[module] ?? '0.0.0',
          requiredVersion: false as const,
        },
      ]),
    ),
    experiments: { provideExternalRuntime: true, asyncStartup: false, optimization },
  }) as unknown as webpack.WebpackPluginInstance
}

/**
 * A remote offers its modules in a container and takes every singleton, and the runtime, from the host. Whether the host's
 * versions suit it is judged from the release's `consumes` before it becomes live, not by every page again.
 */
export function remoteFederation(
  name: string,
  exposes: Readonly<Record<string, string>>,
): webpack.WebpackPluginInstance {
  return new ModuleFederationPlugin({
    ...common,
    name: containerGlobal(name),
    filename: 'remoteEntry.js',
    library: { type: 'window', name: containerGlobal(name) },
    exposes: Object.fromEntries(
      Object.entries(exposes).map(([key, file]) => [key, { import: file, name: key.slice(2) }]),
    ),
    shared: Object.fromEntries(
      Object.keys(singletons).map((module) => [
        module,
        { singleton: true, import: false as const, requiredVersion: false as const },
      ]),
    ),
    // It calls no other remote, and takes what is shared by `TakenFromHostPlugin`: neither part of the runtime is repeated in it.
    experiments: {
      externalRuntime: true,
      asyncStartup: false,
      optimization: { ...optimization, disableRemote: true, disableShared: true },
    },
  }) as unknown as webpack.WebpackPluginInstance
}
