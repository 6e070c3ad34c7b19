import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import type { Configuration } from 'webpack'
import { BillOfMaterialsPlugin } from './BillOfMaterialsPlugin.ts'
import { CallsPlugin } from './CallsPlugin.ts'
import { EarlierAddressesPlugin } from './EarlierAddressesPlugin.ts'
import { LeanRuntimePlugin } from './LeanRuntimePlugin.ts'
import { NamesPlugin } from './NamesPlugin.ts'
import { pureContract } from './pureContract.ts'
import { SqueezeStylesPlugin } from './SqueezeStylesPlugin.ts'
import { TextsPlugin } from './TextsPlugin.ts'
import { toolchainHash, type Mode } from './toolchain.ts'
import { workspace } from './workspace.ts'

const require = createRequire(import.meta.url)

/**
 * Loaders, minifier, cache and target, the same for every part. A repository that is one remote has a folder of any
 * name.
 */
export function baseConfig(folder: string, mode: Mode, name = path.basename(folder)): Configuration {
  // A name that stays lets an open page take a changed file in place of the one before.
  const names =
    mode === 'development'
      ? { script: '[name].js', style: '[name].css' }
      : { script: scriptName, style: '[name].[contenthash:8].css' }
  return {
    name,
    mode,
    context: folder,
    target: ['web', 'es2022'],
    devtool: mode === 'development' ? 'cheap-module-source-map' : false,
    resolve: { extensions: ['.tsx', '.ts', '.js'], alias: federationModules() },
    module: {
      rules: [
        textsRule,
        typescriptRule,
        cssRule,
        federationEntryRule,
        ...(mode === 'production' ? [leanRouterRule] : []),
      ],
    },
    plugins: [
      new TextsPlugin(name),
      new EarlierAddressesPlugin(),
      new LeanRuntimePlugin(),
      new MiniCssExtractPlugin({ filename: names.style, chunkFilename: names.style, ignoreOrder: true }),
      ...(mode === 'production'
        ? [new SqueezeStylesPlugin(), new BillOfMaterialsPlugin(), new CallsPlugin(), new NamesPlugin()]
        : []),
    ],
    output: {
      path: path.join(folder, 'dist'),
      clean: true,
      filename: names.script,
      chunkFilename: names.script,
      assetModuleFilename: '[name].[contenthash:8][ext]',
      // Files are loaded from where the part's first script came from.
      publicPath: 'auto',
      uniqueName: name,
      crossOriginLoading: 'anonymous',
      chunkLoadTimeout: 5000,
    },
    optimization: { minimizer: [minimizer()] },
    performance: false,
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(workspace, '.cache/webpack'),
      name: `${name}-${mode}`,
      version: toolchainHash(),
      compression: false,
    },
    infrastructureLogging: { level: 'error' },
    stats: 'errors-warnings',
  }
}

/** Avoids a second copy of the federation runtime, whose packages import it both as CommonJS and as ES modules. */
export function federationModules(): Record<string, string> {
  const enhanced = createRequire(require.resolve('@module-federation/enhanced/webpack'))
  const runtime = createRequire(enhanced.resolve('@module-federation/runtime-tools'))
  const core = createRequire(runtime.resolve('@module-federation/runtime'))
  const resolveModule = (from: NodeJS.Require, name: string): string => {
    const file = from.resolve(name)
    return ['.mjs', '.js'].map((ending) => file.replace(/\.cjs$/, ending)).find(existsSync) ?? file
  }
  return {
    '@module-federation/runtime-core$': resolveModule(core, '@module-federation/runtime-core'),
    '@module-federation/sdk$': resolveModule(core, '@module-federation/sdk'),
    '@module-federation/error-codes$': resolveModule(core, '@module-federation/error-codes'),
  }
}

/** The federation runtime asks for the name of its chunk before its content is hashed. */
const scriptName = ({ chunk }: { chunk?: unknown }): string =>
  (chunk as { contentHash?: { javascript?: string } } | undefined)?.contentHash?.javascript
    ? '[name].[contenthash:8].js'
    : '[name].js'

/** TypeScript into JavaScript, file by file. */
export const typescriptRule = {
  test: /\.tsx?$/,
  loader: require.resolve('ts-loader'),
  options: {
    // ts-loader does not support TypeScript 7 yet; types are checked separately.
    compiler: require.resolve('typescript-loader-compiler'),
    configFile: path.join(import.meta.dirname, '../tsconfig.loader.json'),
    transpileOnly: true,
    logLevel: 'error',
    onlyCompileBundledFiles: true,
    // Debuggers and the places of errors lead to the source as it was typed.
    compilerOptions: { noEmit: false, sourceMap: true },
    getCustomTransformers: pureContract,
  },
}

/** As a source here, and as JavaScript where the build was installed as a package. */
function ownLoader(name: string): string {
  return path.join(import.meta.dirname, `${name}${path.extname(import.meta.filename)}`)
}

/** Ours, and of packages only those that are parts of the product. */
export const textsRule = {
  test: /\.[jt]sx?$/,
  enforce: 'pre' as const,
  exclude: [/[\\/]node_modules[\\/](?!@dmp[\\/])/, path.join(import.meta.dirname, 'browser')],
  loader: ownLoader('textsLoader'),
}

const federationEntryRule = {
  test: /[\\/]node_modules[\\/]\.federation[\\/]entry\.\w+\.js$/,
  loader: ownLoader('federationEntryLoader'),
}

/** Only in builds for people: developers get the warnings. */
const leanRouterRule = {
  test: /[\\/]react-router[\\/]dist[\\/]\w+[\\/][\w-]+\.mjs$/,
  loader: ownLoader('leanRouterLoader'),
}

const cssRule = { test: /\.css$/, use: [MiniCssExtractPlugin.loader, require.resolve('css-loader')], sideEffects: true }

function minimizer() {
  return new TerserPlugin({
    minify: TerserPlugin.swcMinify,
    extractComments: false,
    terserOptions: { compress: { ecma: 2020, passes: 2 }, mangle: true, format: { comments: false } },
  })
}
