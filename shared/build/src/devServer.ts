import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
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
  /** Origins of the pages that may load the remote from here. */
  readonly origins: readonly string[]
  /** 0 chooses a free port. */
  readonly port: number
  /** Called after each compilation. */
  readonly onBuilt?: (result: { milliseconds: number; errors: string | undefined }) => void
}

export interface DevServer {
  /** `http://localhost:8123` */
  readonly address: string
  /** Resolves after the first compilation, even if it failed; `onBuilt` gets its errors. */
  readonly built: Promise<void>
  stop(): Promise<void>
}

/**
 * Serves one remote from its sources to the pages of a host that runs elsewhere, compiled like its releases. A changed
 * source reaches open pages as a hot update: only the remote is rendered again.
 */
export async function serveRemote(part: Part, { origins, port, onBuilt }: DevServerOptions): Promise<DevServer> {
  const held = await holdPort(port)
  const chosenPort = held.port
  const address = `http://localhost:${chosenPort}`
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
      port: chosenPort,
      hot: true,
      liveReload: true,
      // The page comes from the host, so the client must be told the address of this server.
      client: {
        webSocketURL: { protocol: 'ws', hostname: 'localhost', port: chosenPort, pathname: '/ws' },
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
  await held.letGo()
  await server.start()
  return { address, built, stop: () => server.stop() }
}

/**
 * A port, or a free one for 0, that nobody else gets until it is let go: two servers that start at once would both find
 * the same one free, and one of them fail once it is compiled.
 */
async function holdPort(port: number): Promise<{ readonly port: number; letGo(): Promise<void> }> {
  for (;;) {
    const chosen = port === 0 ? Number(await WebpackDevServer.getFreePort('auto', 'localhost')) : port
    const holder = createServer().listen(chosen, 'localhost')
    try {
      await once(holder, 'listening')
      // Where the configuration fails, the process may end.
      holder.unref()
      return { port: chosen, letGo: () => new Promise((closed) => holder.close(() => closed())) }
    } catch (cause) {
      if (port !== 0) throw cause
    }
  }
}

/** Only pages of the given origins may read the files, also from a public network (Private Network Access). */
function createHeaders(origin: string | undefined, origins: readonly string[]): Record<string, string> {
  const isAllowed = origin !== undefined && origins.includes(origin)
  return {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    ...(isAllowed ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Private-Network': 'true' } : {}),
  }
}

const sendDeclaration =
  (folder: string) =>
  (_request: unknown, response: { setHeader(name: string, value: string): void; end(text: string): void }) => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(readFileSync(path.join(folder, 'remote.json'), 'utf8'))
  }

async function createConfiguration(part: Part): Promise<webpack.Configuration> {
  const buildConfiguration = await loadConfiguration(part, 'development')
  const { name } = readDeclaration(part.folder)
  return {
    ...buildConfiguration,
    // Hot updates have no known hashes, and the federation exposes the hot modules in place of the usual ones.
    plugins: [
      ...(buildConfiguration.plugins ?? []).filter(
        (plugin) => !(plugin instanceof ChunkIntegrityPlugin) && !(plugin instanceof ModuleFederationPlugin),
      ),
      remoteFederation(name, writeHotModules(part)),
    ],
    // Differs from a release of the same remote that may be on the same page.
    output: {
      ...buildConfiguration.output,
      uniqueName: `${name}-development`,
      clean: false,
    },
    cache: { ...(buildConfiguration.cache as webpack.FileCacheOptions), name: `${name}-serve` },
    watchOptions: { aggregateTimeout: 20 },
  }
}

/** Writes a proxy for each exposed module: the proxy stays while the module behind it is replaced. */
function writeHotModules(part: Part): Record<string, string> {
  // Two copies of one remote may be served at once.
  const place = createHash('sha256').update(part.folder).digest('hex').slice(0, 8)
  const folder = path.join(workspace, '.cache/serve', `${path.basename(part.folder)}-${place}`)
  mkdirSync(folder, { recursive: true })
  const { cards, searches = [] } = readDeclaration(part.folder)
  const names: Record<string, readonly string[]> = {
    './App': ['App'],
    './cards': cards.map((card) => card.name),
    './search': searches.map((search) => search.name),
  }
  return Object.fromEntries(
    Object.entries(exposedModules(part.folder)).map(([key, file]) => {
      const proxy = path.join(folder, `${key.slice(2)}.js`)
      writeFileSync(proxy, hotModuleSource(path.join(part.folder, file), names[key] ?? [], key === './search'))
      return [key, proxy]
    }),
  )
}

/** Components are drawn again when they change; a search is a function, and the next letter asks the newest. */
const hotModuleSource = (file: string, names: readonly string[], areFunctions: boolean): string => {
  const source = JSON.stringify(file)
  if (areFunctions)
    return `import * as current from ${source}

import.meta.webpackHot.accept(${source})
${names.map((name) => `export const ${name} = (...given) => current[${JSON.stringify(name)}](...given)`).join('\n')}
`
  return `import { createElement, useSyncExternalStore } from 'react'
import * as current from ${source}

const listeners = new Set()
const follow = (listener) => (listeners.add(listener), () => listeners.delete(listener))
const hot = (name) => (props) => createElement(useSyncExternalStore(follow, () => current[name]), props)
import.meta.webpackHot.accept(${source}, () => listeners.forEach((listener) => listener()))
${names.map((name) => `export const ${name} = hot(${JSON.stringify(name)})`).join('\n')}
`
}
