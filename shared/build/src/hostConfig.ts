import { baseConfig } from './baseConfig.ts'
import { BuildRecordPlugin, readDeclaration } from './BuildRecordPlugin.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'
import { createConfigure, type Configure } from './configure.ts'
import { hostFederation } from './federation.ts'
import { contractVersion, providedVersions } from './singletons.ts'

/**
 * Configures the host's build, the only provider of the shared modules.
 *
 * @example export default hostConfig(import.meta.dirname)
 */
export function hostConfig(folder: string): Configure {
  return createConfigure((mode) => {
    const base = baseConfig(folder, mode)
    return {
      ...base,
      entry: { main: './src/index.ts' },
      plugins: [
        ...(base.plugins ?? []),
        hostFederation(),
        new ChunkIntegrityPlugin(),
        new BuildRecordPlugin('host', readDeclaration(folder), {
          provides: { ...providedVersions(), '@dmp/contract': contractVersion() },
          consumes: {},
        }),
      ],
      optimization: {
        ...base.optimization,
        splitChunks: { chunks: 'async', minSize: 20_000, cacheGroups: { defaultVendors: false } },
      },
    }
  })
}
