import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import type webpack from 'webpack'
import { providedVersions, singletons, takenModules, type DrawnBy } from './singletons.ts'

/** The global variable that a remote's container script sets. */
export const containerGlobal = (name: string): string => name.replaceAll('-', '_')

const common = {
  // 'version-first' would take shared modules from the remote whose name sorts last, and blank the page if one is down.
  shareStrategy: 'loaded-first',
  // Not needed: the page's snapshot names every release with its hash.
  manifest: false,
  dts: false,
  dev: false,
} as const

const optimization = { disableSnapshot: true, target: 'web' } as const

/**
 * The host alone provides the singletons and the federation runtime. Remotes come with the page's snapshot, not from
 * here.
 */
export function hostFederation(): webpack.WebpackPluginInstance {
  const versions = providedVersions()
  return new ModuleFederationPlugin({
    ...common,
    name: 'host',
    remotes: {},
    shared: Object.fromEntries(
      Object.entries(singletons).map(([module, loading]) => [
        module,
        {
          singleton: true,
          eager: loading === 'first',
          version: versions[module] ?? '0.0.0',
          requiredVersion: false as const,
        },
      ]),
    ),
    experiments: { provideExternalRuntime: true, asyncStartup: false, optimization },
  }) as unknown as webpack.WebpackPluginInstance
}

/**
 * A remote exposes its modules in a container and takes the singletons and the runtime from the host. The preflight
 * compares versions (`consumes` of the release) once before it goes live, so pages need not.
 */
export function remoteFederation(
  name: string,
  exposes: Readonly<Record<string, string>>,
  react: DrawnBy = 'page',
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
      takenModules(react).map((module) => [
        module,
        { singleton: true, import: false as const, requiredVersion: false as const },
      ]),
    ),
    // A remote loads no other remote, and `HostSharedModulesPlugin` handles sharing: neither needs the runtime's code.
    experiments: {
      externalRuntime: true,
      asyncStartup: false,
      optimization: { ...optimization, disableRemote: true, disableShared: true },
    },
  }) as unknown as webpack.WebpackPluginInstance
}
