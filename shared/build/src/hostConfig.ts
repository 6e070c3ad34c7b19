import webpack from 'webpack'
import { baseConfig } from './baseConfig.ts'
import { BuildRecordPlugin, readDeclaration } from './BuildRecordPlugin.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'
import { createConfigure, type Configure } from './configure.ts'
import { hostFederation } from './federation.ts'
import { PrivateMapsPlugin } from './PrivateMapsPlugin.ts'
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
        ...(mode === 'production' ? [compiledWhileItComes(), new PrivateMapsPlugin()] : []),
        new ChunkIntegrityPlugin(),
        new BuildRecordPlugin('host', readDeclaration(folder), {
          provides: { ...providedVersions(), '@dmp/contract': contractVersion() },
          consumes: {},
        }),
      ],
      optimization: {
        ...base.optimization,
        splitChunks: {
          chunks: 'async',
          minSize: 20_000,
          cacheGroups: { defaultVendors: false, ...(mode === 'production' && { libraries }) },
        },
      },
    }
  })
}

/** What changes when somebody changes a package, and not with every release: browsers keep it by its address. */
const libraries = {
  name: 'libraries',
  test: /[\\/]node_modules[\\/](?!\.federation[\\/]|@dmp[\\/])/,
  chunks: 'initial',
  enforce: true,
} as const

/**
 * Tells V8 that the first scripts call nearly all that is in them (explicit compile hints): they are compiled beside
 * the download, and not function by function when they run. Before hashes are made, after comments were taken out.
 */
export function compiledWhileItComes(): webpack.WebpackPluginInstance {
  return new webpack.BannerPlugin({
    banner: '//# allFunctionsCalledOnLoad',
    raw: true,
    test: /^(?:main|libraries)\..*\.js$/,
    stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
  })
}
