import { createRequire } from 'node:module'
import path from 'node:path'
import { baseConfig } from './baseConfig.ts'
import { BuildRecordPlugin } from './BuildRecordPlugin.ts'
import { createConfigure, type Configure } from './configure.ts'

/**
 * Configures the image viewer's build, a separate application that shares nothing with the host.
 *
 * @example export default viewerConfig(import.meta.dirname)
 */
export function viewerConfig(folder: string): Configure {
  const require = createRequire(path.join(folder, 'package.json'))
  return createConfigure((mode) => {
    const base = baseConfig(folder, mode)
    return {
      ...base,
      entry: { main: './src/index.ts' },
      // Over a phone's line Cornerstone takes longer than any part may; the page shows a preview meanwhile.
      output: { ...base.output, chunkLoadTimeout: 120_000 },
      resolve: {
        ...base.resolve,
        // Cornerstone's codecs import these Node modules.
        alias: { events: require.resolve('events/'), url: require.resolve('url/') },
        fallback: { fs: false, path: false },
      },
      externals: { '@icr/polyseg-wasm': 'window.noPolySeg' },
      module: { rules: [...(base.module?.rules ?? []), { test: /\.wasm$/, type: 'asset/resource' }] },
      experiments: { asyncWebAssembly: true },
      plugins: [...(base.plugins ?? []), new BuildRecordPlugin('viewer', undefined, { provides: {}, consumes: {} })],
    }
  })
}
