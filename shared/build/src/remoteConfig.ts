import { existsSync } from 'node:fs'
import path from 'node:path'
import { baseConfig } from './baseConfig.ts'
import { BuildRecordPlugin, readDeclaration } from './BuildRecordPlugin.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'
import { remoteFederation } from './federation.ts'
import { createConfigure, type Configure } from './configure.ts'
import { OwnReactPlugin } from './OwnReactPlugin.ts'
import { acceptedRanges, type DrawnBy } from './singletons.ts'
import { HostSharedModulesPlugin } from './HostSharedModulesPlugin.ts'
import { PrivateMapsPlugin } from './PrivateMapsPlugin.ts'

/**
 * Configures a remote's build: a container that exposes `./App` (the route table, `src/index.ts`) and, if the remote
 * has dashboard cards or searches for the command palette, `./cards` (`src/cards.ts`) and `./search`
 * (`src/search.ts`).
 *
 * @example export default remoteConfig(import.meta.dirname)
 *
 * @param options.react 'own' for a part that brings a React of its own, of any version, and exports what `ownRoot` of
 *   `@dmp/kit/router` makes
 */
export function remoteConfig(folder: string, { react = 'page' }: { readonly react?: DrawnBy } = {}): Configure {
  const declaration = readDeclaration(folder)
  return createConfigure((mode) => {
    const base = baseConfig(folder, mode, declaration.name)
    return {
      ...base,
      entry: {},
      plugins: [
        ...(base.plugins ?? []),
        remoteFederation(declaration.name, exposedModules(folder), react),
        ...(react === 'own' ? [new OwnReactPlugin()] : []),
        new HostSharedModulesPlugin(),
        ...(mode === 'production' ? [new PrivateMapsPlugin()] : []),
        new ChunkIntegrityPlugin(),
        new BuildRecordPlugin(declaration.name, declaration, {
          provides: {},
          consumes: acceptedRanges(folder, declaration.needs.kit, react),
        }),
      ],
      // One script per exposed module: every further split delays the first row by a request.
      optimization: { ...base.optimization, splitChunks: false },
    }
  })
}

/** The modules that a remote exposes, by the name that the host asks for. */
export function exposedModules(folder: string): Record<string, string> {
  return {
    './App': './src/index.ts',
    ...(existsSync(path.join(folder, 'src/cards.ts')) ? { './cards': './src/cards.ts' } : {}),
    ...(existsSync(path.join(folder, 'src/search.ts')) ? { './search': './src/search.ts' } : {}),
  }
}
