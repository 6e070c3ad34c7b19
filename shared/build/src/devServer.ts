import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack'
import webpack from 'webpack'
import WebpackDevServer from 'webpack-dev-server'
import { readDeclaration } from './BuildRecordPlugin.ts'
import { loadConfiguration } from './build.ts'
import { ChunkIntegrityPlugin } from './ChunkIntegrityPlugin.ts'
import { remoteFederation } from './federation.ts'
import { exposedModules } from './remoteConfig.ts'
import { workspace, type Part } from './workspace.ts'

export interface DevServerOptions {
  /** Origins of the pages that may load the remote from here; others get nothing. */
  readonly origins: readonly string[]
  /** 0 takes a free one. */
  readonly port: number
  /** Called after each compilation. */
  readonly onBuilt?: (result: { milliseconds: number; errors: string | undefined }) => void
}

export interface DevServer {
  /** `http://localhost:8123` */
  readonly address: string
  /** The first compilation, which may have failed; what is wrong was handed to `onBuilt`. */
  readonly built: Promise<void>
  stop(): Promise<void>
}

/**
 * Serves one remote from its sources, compiled by the same configuration as its releases, to the pages of a host that runs somewhere else.
 * A changed source reaches open pages as a hot update: the remote is drawn anew where it stands, everything around it stays.
 */
export async function serveRemote(part: Part, { origins, port, onBuilt }: DevServerOptions): Promise<DevServer> {
  const chosen = port === 0 ? Number(await WebpackDevServer.getFreePort('auto', 'localhost')) : port
  const address = `http://localhost:${chosen}`
  const compiler = webpack(await createConfiguration(part))
  const built = new Promise<void>((resolve) => compiler.hooks.done.tap('Built', () => resolve()))
  compiler.hooks.done.tap('Report', (stats) =>
    onBuilt?.({
      milliseconds: (stats.endTime ?? 0) - (stats.startTime ?? 0),
      errors: stats.hasErrors() ? stats.toString({ preset: 'errors-only', colors: false }) : undefined,
    }),
  )
  const server = new WebpackDevServer(
    {
      host: 'localhost',
      port: chosen,
      hot: true,
      liveReload: true,
      // The page's address is the host's, the remote's is ours.
      client: {
        webSocketURL: { protocol: 'ws', hostname: 'localhost', port: chosen, pathname: '/ws' },
        overlay: false,
        logging: 'warn',
      },
      allowedHosts: ['localhost', ...origins.map((origin) => new URL(origin).hostname)],
      headers: (request) => createHeaders(request.headers.origin, origins),
      static: false,
      devMiddleware: { stats: false },
      setupMiddlewares: (middlewares) => [
        ...middlewares,
        { name: 'declaration', path: '/remote.json', middleware: sendDeclaration(part.folder) },
      ],
    },
    compiler,
  )
  await server.start()
  return { address, built, stop: () => server.stop() }
}

/** Scripts and styles are asked for with CORS, so that only the host's pages may have them; and a page of the network may ask this computer. */
function createHeaders(origin: string | undefined, origins: readonly string[]): Record<string, string> {
  const known = origin !== undefined && origins.includes(origin)
  return {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    ...(known ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Private-Network': 'true' } : {}),
  }
}

const sendDeclaration =
  (folder: string) =>
  (_request: unknown, response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(readFileSync(path.join(folder, 'remote.json'), 'utf8'))
  }

async function createConfiguration(part: Part): Promise<webpack.Configuration> {
  const usual = await loadConfiguration(part, 'development')
  const { name } = readDeclaration(part.folder)
  return {
    ...usual,
    // What changes has no hash that could be known before, and one federation: that of the hot modules.
    plugins: [
      ...(usual.plugins ?? []).filter(
        (plugin) => !(plugin instanceof ChunkIntegrityPlugin) && !(plugin instanceof ModuleFederationPlugin),
      ),
      remoteFederation(name, writeHotModules(part)),
    ],
    // Apart from a release of the same remote on the same page.
    output: {
      ...usual.output,
      uniqueName: `${name}-development`,
      filename: '[name].js',
      chunkFilename: '[name].js',
      clean: false,
    },
    cache: { ...(usual.cache as webpack.FileCacheOptions), name: `${name}-serve` },
    watchOptions: { aggregateTimeout: 20 },
  }
}

/** The exposed modules, each behind a door that stays while what is behind it is replaced. */
function writeHotModules(part: Part): Record<string, string> {
  const folder = path.join(workspace, '.cache/serve', path.basename(part.folder))
  mkdirSync(folder, { recursive: true })
  const names: Record<string, readonly string[]> = {
    './App': ['App'],
    './cards': readDeclaration(part.folder).cards.map((card) => card.name),
  }
  return Object.fromEntries(
    Object.entries(exposedModules(part.folder)).map(([key, file]) => {
      const door = path.join(folder, `${key.slice(2)}.js`)
      writeFileSync(door, hotModuleSource(path.join(part.folder, file), names[key] ?? []))
      return [key, door]
    }),
  )
}

const hotModuleSource = (file: string, names: readonly string[]): string => {
  const source = JSON.stringify(file)
  return `import { createElement, useSyncExternalStore } from 'react'
import * as behind from ${source}

const listeners = new Set()
const follow = (listener) => (listeners.add(listener), () => listeners.delete(listener))
const hot = (name) => (props) => createElement(useSyncExternalStore(follow, () => behind[name]), props)
import.meta.webpackHot.accept(${source}, () => listeners.forEach((listener) => listener()))
${names.map((name) => `export const ${name} = hot(${JSON.stringify(name)})`).join('\n')}
`
}
