import { randomBytes } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, sep } from 'node:path'
import { root } from '../workspace/files.ts'
import { acceptLook, listChangedLooks, lookFolders, type LookFolders } from './changedLooks.ts'
import { formatLooksPage } from './looksPage.ts'

export interface ReportServer {
  /** Its path holds a secret: other pages of this computer's browsers, and its other users, do not know it. */
  readonly url: string
  close(): Promise<void>
}

export interface ReportOptions {
  readonly report?: string
  readonly folders?: LookFolders
  /** The checkout that gets the commits. */
  readonly checkout?: string
  readonly say?: (line: string) => void
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webm': 'video/webm',
}

/** Shows the report of the last run on this machine, and the looks that changed, each to be accepted by a click. */
export async function startReportServer(options: ReportOptions = {}): Promise<ReportServer> {
  const { report = join(root, 'e2e', 'playwright-report'), folders = lookFolders, checkout = root } = options
  const { say = console.log } = options
  const secret = randomBytes(16).toString('hex')
  let done = ''

  /** Waits for the one before: two commits at once would get into each other's way. */
  let accepting = Promise.resolve()
  const accept = async (screen: string): Promise<void> => {
    const look = listChangedLooks(folders).find((candidate) => candidate.screen === screen)
    if (!look) return
    done = await acceptLook(look, folders, checkout).then(
      (commit) => `${screen} is accepted: commit ${commit}.`,
      (error: Error) => `${screen} is not accepted, because git refused: ${error.message}`,
    )
    say(done)
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const path = decodeURIComponent(url.pathname)
    const { port } = server.address() as AddressInfo
    // A name that leads here by somebody's DNS is not this address.
    const isOurs = request.headers.host === `127.0.0.1:${port}` && path.startsWith(`/${secret}/`)
    const place = path.slice(secret.length + 2)
    if (!isOurs) return void response.writeHead(404).end()
    if (request.method === 'POST' && place.startsWith('accept/')) {
      accepting = accepting.then(() => accept(place.slice('accept/'.length)))
      await accepting
      return void response.writeHead(303, { location: `/${secret}/` }).end()
    }
    const [, kind, name] = /^(before|after|difference)\/([\w-]+)\.png$/.exec(place) ?? []
    if (kind !== undefined) return send(response, findPicture(folders, kind as 'before', name ?? ''))
    if (place === '') {
      const page = formatLooksPage(listChangedLooks(folders), {
        done,
        hasReport: existsSync(join(report, 'index.html')),
      })
      return void response.writeHead(200, { 'content-type': types['.html'], 'cache-control': 'no-store' }).end(page)
    }
    const file = normalize(join(report, place.replace(/^report\//, '')))
    return send(response, place.startsWith('report/') && file.startsWith(report + sep) ? file : undefined)
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

const findPicture = (folders: LookFolders, kind: 'before' | 'after' | 'difference', name: string) =>
  listChangedLooks(folders)
    .flatMap(({ pictures }) => pictures)
    .find((picture) => picture.name === name)?.[kind]

function send(response: ServerResponse, file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return void response.writeHead(404).end()
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-store',
  })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
}
