import { existsSync } from 'node:fs'
import path from 'node:path'
import { baseConfig } from './baseConfig.ts'
import { BuildRecordPlugin, readDeclaration } from './buildRecord.ts'
import { ChunkIntegrityPlugin } from './chunkIntegrity.ts'
import { remoteFederation } from './federation.ts'
import { configureBy, type Configure } from './configure.ts'
import { accepted } from './singletons.ts'
import { TakenFromHostPlugin } from './takenFromHost.ts'

/**
 * A remote's build: a container that exposes `./App` (the route table, `src/index.ts`) and, where the remote has
 * dashboard cards, `./cards` (`src/cards.ts`).
 *
 * @example export default remoteConfig(import.meta.dirname)
 */
export function remoteConfig(folder: string): Configure {
  const declaration = readDeclaration(folder)
  return configureBy((mode) => {
    const base = baseConfig(folder, mode)
    return {
      ...base,
      entry: {},
      plugins: [
        ...(base.plugins ?? []),
        remoteFederation(declaration.name, exposed(folder)),
        new TakenFromHostPlugin(),
        new ChunkIntegrityPlugin(),
        new BuildRecordPlugin(declaration.name, declaration, {
          provides: {},
          consumes: accepted(declaration.needs.kit),
        }),
      ],
      // One script per exposed module: each further split is a request on the way to the first row.
      optimization: { ...base.optimization, splitChunks: false },
    }
  })
}

export function exposed(folder: string): Record<string, string> {
  return {
    './App': './src/index.ts',
    ...(existsSync(path.join(folder, 'src/cards.ts')) ? { './cards': './src/cards.ts' } : {}),
  }
}
