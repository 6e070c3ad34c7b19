import { createRequire } from 'node:module'
import path from 'node:path'
import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import refreshTransformer from 'react-refresh-typescript'
import webpack from 'webpack'
import { typescriptRule } from './baseConfig.ts'
import { loadConfiguration } from './build.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'
import { loadCompiler, pureContract } from './pureContract.ts'
import type { Part } from './workspace.ts'

const require = createRequire(import.meta.url)
const browserModule = (name: string): string => path.join(import.meta.dirname, 'browser', name)

/** Where the development server has the files of a part; open pages ask for them under any release's address. */
export const hotPath = (part: string): string => `/releases/${part}/development/`

/**
 * A part as its releases are configured, for pages that take changes in place: readable, without hashes of later
 * scripts (they change), and with React Refresh, which keeps the state of what is on the screen. The viewer is drawn
 * without React, and takes its changes itself.
 */
export async function hotConfig(part: Part): Promise<webpack.Configuration> {
  const configuration = await loadConfiguration(part, 'development')
  const { name, kind } = part
  const refresh = kind === 'viewer' ? none : reactRefresh(name)
  return {
    ...configuration,
    name,
    resolve: { ...configuration.resolve, alias: { ...configuration.resolve?.alias, ...refresh.aliases } },
    module: {
      rules: (configuration.module?.rules ?? []).map((rule) => (rule === typescriptRule ? refresh.rule : rule)),
    },
    plugins: [
      ...(configuration.plugins ?? []).filter((plugin) => !(plugin instanceof ChunkIntegrityPlugin)),
      new webpack.EntryPlugin(part.folder, browserModule('publicPath.js'), {}),
      new webpack.EntryPlugin(part.folder, browserModule('updated.js'), {}),
      ...refresh.plugins,
    ],
    output: {
      ...configuration.output,
      publicPath: hotPath(name),
      clean: false,
      chunkLoadTimeout: 60_000,
    },
    cache: {
      ...(configuration.cache as webpack.FileCacheOptions),
      name: `${name}-hot`,
      // Nobody waits for the cache of the next start while editing.
      idleTimeoutAfterLargeChanges: 60_000,
    },
    watchOptions: { aggregateTimeout: 20, ignored: ['**/node_modules/**', '**/dist/**', '**/*.test.ts?(x)'] },
  }
}

interface Refresh {
  readonly aliases: Record<string, string>
  readonly rule: webpack.RuleSetRule
  readonly plugins: readonly webpack.WebpackPluginInstance[]
}

const none: Refresh = { aliases: {}, rule: typescriptRule, plugins: [] }

const reactRefresh = (name: string): Refresh => ({
  aliases: refreshAliases(),
  rule: hotRule,
  plugins: [
    new ReactRefreshPlugin({
      include: /\.tsx?$/,
      exclude: /node_modules/,
      esModule: true,
      overlay: false,
      library: name,
    }),
  ],
})

const hotRule = {
  ...typescriptRule,
  options: {
    ...typescriptRule.options,
    getCustomTransformers: () => ({
      before: [...(pureContract().before ?? []), refreshTransformer({ ts: loadCompiler() as never })],
    }),
  },
}

/** Whoever asks for React Refresh's runtime, by its name or by its file, gets the page's. */
function refreshAliases(): Record<string, string> {
  const runtime = require.resolve('react-refresh/runtime')
  const shared = browserModule('refreshRuntime.js')
  return {
    'react-refresh$': path.join(path.dirname(runtime), 'cjs/react-refresh-runtime.development.js'),
    'react-refresh/runtime$': shared,
    [`${runtime}$`]: shared,
  }
}
