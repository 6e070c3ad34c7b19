import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { BuildRecord } from '@dmp/contract/release'
import webpack from 'webpack'
import WebpackDevServer, { type Configuration } from 'webpack-dev-server'
import { hotConfig, hotPath } from './hotConfig.ts'
import { toHotPage, toHotPolicy } from './hotPage.ts'
import { MapsOnDemandPlugin } from './MapsOnDemandPlugin.ts'
import { answerProblem } from './problemPage.ts'
import { ReadyParts } from './readyParts.ts'
import { RebuildTurns } from './rebuildTurns.ts'
import { workspace, type Part } from './workspace.ts'

const hotChannel = '/releases/hot'

export interface ProductServerOptions {
  readonly parts: readonly Part[]
  readonly port: number
  /** Address of the product's server, which answers everything but the files of the parts. */
  readonly behind: string
  /**
   * Resolves as soon as that server can answer, for which requests wait; with place and sentence where it cannot, which
   * they are answered with.
   */
  readonly findProblem: () => Promise<string | undefined>
  /** Called after each compilation, with what the parts say of their builds. */
  readonly onBuilt: (result: Compilation) => void
}

/** What came of one compilation. */
export interface Compilation {
  /** The parts that were compiled, with the time that it took. */
  readonly compiled: readonly { readonly name: string; readonly milliseconds: number }[]
  readonly records: readonly BuildRecord[]
  /** What the parts that do not compile are wrong in, with its place. */
  readonly errors: readonly string[]
}

export interface ProductServer {
  /** Shows problems on all pages, beside those of compiling and in place of those that it showed before. */
  readonly show: (problems: readonly string[]) => void
  /** Resolves as soon as nothing is compiled that was edited. */
  readonly isSettled: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Serves all parts from their sources, in front of the product's server: one address, so that pages, their policy and
 * their cookies are those of the product. A changed source reaches open pages as a hot update, or reloads them where it
 * cannot be taken in place.
 */
export async function serveProduct(options: ProductServerOptions): Promise<ProductServer> {
  const maps = new Map(options.parts.map(({ name }) => [name, new MapsOnDemandPlugin()]))
  const compiler = webpack(await Promise.all(options.parts.map((part) => toConfiguration(part, maps.get(part.name)!))))
  const turns = new RebuildTurns()
  turns.manage(compiler.compilers)
  const ready = new ReadyParts(maps)
  ready.watch(compiler.compilers, (built) => server.middleware?.publish(built))
  const seen = new Map<string, webpack.Stats>()
  compiler.hooks.done.tap('Product', ({ stats }) => {
    const compiled = stats.filter((each) => seen.get(nameOf(each)) !== each)
    for (const each of compiled) seen.set(nameOf(each), each)
    options.onBuilt(toCompilation(stats, compiled))
  })
  const server = new WebpackDevServer(toServerOptions(options, ready, turns), compiler)
  let shown: readonly string[] = []
  const show = (problems: readonly string[]): void => {
    shown = problems
    // Without a name it is no part's: the client of every part takes it, and the page shows it once.
    server.middleware?.publish({ action: 'built', time: 0, hash: '', warnings: [], errors: [...problems] })
  }
  await server.start()
  // A page that is opened later is told of compilations by the server itself, of everything else from here.
  server.webSocketServer?.implementation.on('connection', () => {
    if (shown.length > 0) show(shown)
  })
  return { show, isSettled: () => ready.all(), stop: () => server.stop() }
}

const nameOf = ({ compilation }: webpack.Stats): string => compilation.name ?? ''

/** Files of all parts lie in one tree in memory. */
async function toConfiguration(part: Part, maps: MapsOnDemandPlugin): Promise<webpack.Configuration> {
  const configuration = await hotConfig(part)
  return {
    ...configuration,
    devtool: false,
    plugins: [...(configuration.plugins ?? []), maps],
    output: { ...configuration.output, path: path.join(workspace, '.cache/development', part.name) },
    infrastructureLogging: { level: 'error' },
  }
}

function toCompilation(stats: readonly webpack.Stats[], compiled: readonly webpack.Stats[]): Compilation {
  return {
    compiled: compiled.map((each) => ({
      name: nameOf(each),
      milliseconds: (each.endTime ?? 0) - (each.startTime ?? 0),
    })),
    records: stats.flatMap((each) => (each.hasErrors() ? [] : [readRecord(each)])),
    errors: stats.flatMap(({ compilation }) => compilation.errors.map(({ message }) => message)),
  }
}

/** What `BuildRecordPlugin` wrote. */
function readRecord({ compilation }: webpack.Stats): BuildRecord {
  const { outputFileSystem } = compilation.compiler
  const file = path.join(compilation.outputOptions.path ?? '', 'build.json')
  const text = (outputFileSystem as unknown as { readFileSync(file: string): Buffer }).readFileSync(file)
  return JSON.parse(String(text)) as BuildRecord
}

function toServerOptions(
  { port, behind, findProblem }: ProductServerOptions,
  ready: ReadyParts,
  turns: RebuildTurns,
): Configuration {
  return {
    host: '127.0.0.1',
    port,
    hot: true,
    static: false,
    compress: false,
    setupExitSignals: false,
    webSocketServer: { type: 'ws', options: { path: hotChannel } },
    client: {
      // The page's own address, by whatever name the browser reached it.
      webSocketURL: { hostname: '0.0.0.0', port: 0, pathname: hotChannel },
      overlay: { errors: true, warnings: false, runtimeErrors: false },
      logging: 'warn',
    },
    // What does not compile is said in the terminal and on the page.
    devMiddleware: { stats: 'errors-only' },
    headers: { 'Cache-Control': 'no-store' },
    setupMiddlewares: (middlewares) => withProblems(withFiles(middlewares, ready, turns), findProblem),
    proxy: [
      {
        // Requests and channels wait while the server starts anew.
        router: () => findProblem().then(() => behind),
        target: behind,
        // A connection for each request: one that is kept could lead to a server that has ended.
        agent: false,
        // Channels break off then, which their clients expect.
        logger: { info: ignore, warn: ignore, error: ignore },
        pathFilter: (pathname) => pathname !== hotChannel,
        ws: true,
        selfHandleResponse: true,
        on: {
          proxyReq: (toServer, request) => {
            if (request.headers.accept?.includes('text/html')) toServer.removeHeader('accept-encoding')
          },
          proxyRes: (answer, _request, response) => passOn(answer, response),
        },
      },
    ],
  }
}

const ignore = (): void => undefined

type Answer = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

type Middleware = ReturnType<NonNullable<Configuration['setupMiddlewares']>>[number]

/** Files of parts, behind the server's looks at who asks, and before its own, which waits for all parts. */
function withFiles(middlewares: readonly Middleware[], ready: ReadyParts, turns: RebuildTurns): Middleware[] {
  const own = middlewares.findIndex((each) => 'name' in each && each.name === 'webpack-dev-middleware')
  return [
    { name: 'files of releases', middleware: findFile },
    ...middlewares.slice(0, own),
    { name: 'files of parts that are compiled', middleware: toFiles(ready, turns) },
    ...middlewares.slice(own),
  ]
}

/** Whatever only the product's server answers is answered with why it does not. */
function withProblems(
  middlewares: readonly Middleware[],
  findProblem: ProductServerOptions['findProblem'],
): Middleware[] {
  const proxy = middlewares.findIndex((each) => 'name' in each && each.name === 'http-proxy-middleware')
  const answer: Answer = async (request, response, next) => {
    const problem = await findProblem()
    if (problem === undefined) next()
    else answerProblem(problem, request, response)
  }
  return [
    ...middlewares.slice(0, proxy),
    { name: 'why there is no server', middleware: answer },
    ...middlewares.slice(proxy),
  ]
}

/** Pages ask for the files of the release that the registry names; there is one of each part. */
const findFile: Answer = (request, _response, next) => {
  const [, part, file] = /^\/releases\/(?:again\/)?([a-z0-9-]+)\/[0-9a-f]{16}\/(.*)$/s.exec(request.url ?? '') ?? []
  if (part !== undefined) request.url = hotPath(part) + file
  next()
}

const toFiles =
  (ready: ReadyParts, turns: RebuildTurns): Answer =>
  (request, response, next) => {
    const [, part, file] = /^\/releases\/([a-z0-9-]+)\/development\/([^?]*)/.exec(request.url ?? '') ?? []
    if (part === undefined || file === undefined) return next()
    turns.noteAsked(part, file)
    const found = ready.find(part, file)
    if (found === undefined) return next()
    response.writeHead(200, { 'Content-Type': found.type, 'Cache-Control': 'no-store' })
    response.end(found.content)
  }

/** An answer of the server as it is; of a page, what would keep changes out of it is taken away. */
function passOn(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502, statusMessage } = answer
  // What concerns the connection to the server says nothing of the one to the page.
  const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = answer.headers
  const policy = headers['content-security-policy']
  const passed = {
    ...headers,
    ...(typeof policy === 'string' ? { 'content-security-policy': toHotPolicy(policy) } : {}),
  }
  // A program that asks for a page may have it compressed; nothing is kept out of what it shows.
  if (!headers['content-type']?.startsWith('text/html') || headers['content-encoding'] !== undefined) {
    response.writeHead(statusCode, statusMessage, passed)
    answer.pipe(response)
    return
  }
  const chunks: Buffer[] = []
  answer.on('data', (chunk: Buffer) => chunks.push(chunk))
  answer.on('error', () => response.destroy())
  answer.on('end', () => {
    const page = toHotPage(Buffer.concat(chunks).toString())
    response.writeHead(statusCode, statusMessage, { ...passed, 'content-length': Buffer.byteLength(page) })
    response.end(page)
  })
}
