import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { act, isAct } from './acts.ts'
import { receive } from './dropped.ts'
import { createSecret, Entrance, isSame } from './Entrance.ts'
import { listFolders } from './listFolders.ts'
import { pageFile } from './pageFiles.ts'
import type { WindowWork } from './runWindow.ts'
import { toState } from './toState.ts'

export interface OpenWindow {
  readonly port: number
  /** With it the next start of the uploader gets a new address. */
  readonly secret: string
  readonly createAddress: () => string
  readonly close: () => Promise<void>
}

const mostBodyBytes = 100_000

const headers = {
  'content-security-policy':
    "default-src 'none'; object-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The page of this machine alone: 127.0.0.1, a port by chance, and an address that is good once. */
export async function openWindow(work: WindowWork): Promise<OpenWindow> {
  const secret = createSecret()
  const server = createServer((request, response) => {
    void answer(request, response).catch((cause: unknown) => {
      if (!response.headersSent) send(response, 400, cause instanceof Error ? cause.message : String(cause))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const entrance = new Entrance(host)
  const createAddress = (): string => entrance.createAddress()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Another name that leads here (DNS rebinding), and pages of others, get nothing.
    if (request.headers.host !== host) return send(response, 421, 'This address is for this machine alone.')
    const { origin } = request.headers
    if (origin !== undefined && origin !== `http://${host}`) return send(response, 403, 'Not from another page.')
    const url = new URL(request.url ?? '/', `http://${host}`)
    const { method = 'GET' } = request
    if (method === 'POST' && url.pathname === '/address')
      return isSame(request.headers.authorization ?? '', `Bearer ${secret}`)
        ? send(response, 200, createAddress())
        : send(response, 401, 'Not known.')
    const token = url.searchParams.get('token')
    if (token !== null) {
      const cookie = entrance.enter(token)
      if (cookie === undefined)
        return send(response, 401, pageFile('/ended')?.content ?? '', 'text/html; charset=utf-8')
      response.writeHead(303, { ...headers, location: '/', 'set-cookie': cookie })
      return void response.end()
    }
    const page = method === 'GET' ? pageFile(url.pathname) : undefined
    if (!entrance.isKnown(request.headers.cookie)) {
      const refused = url.pathname === '/' ? pageFile('/ended') : undefined
      return refused ? send(response, 401, refused.content, refused.type) : send(response, 401, 'Not known.')
    }
    if (page !== undefined) return send(response, 200, page.content, page.type)
    // A page elsewhere cannot send this header without asking first, and nothing allows it.
    if (method !== 'GET' && request.headers['x-dmp-window'] !== '1') return send(response, 403, 'Not from a form.')
    return serve(work, request, response, url)
  }

  return {
    port,
    secret,
    createAddress,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(work: WindowWork, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const name = url.pathname.slice(1)
  if (request.method === 'GET' && name === 'state') {
    work.control.asked()
    return json(response, toState(work))
  }
  if (request.method === 'GET' && name === 'subfolders')
    return json(response, await listFolders(url.searchParams.get('at') ?? ''))
  if (request.method === 'PUT' && name === 'drop') {
    const { progress } = work.control
    const onWhole = (place: string, bytes: number): void => progress.dropped(place, bytes)
    progress.copying += 1
    const dropped = url.searchParams.get('name') ?? ''
    const fault = await receive(request, dropped, work.droppedFolder, onWhole).finally(() => (progress.copying -= 1))
    progress.copied(dropped, fault)
    work.control.wake()
    return fault === undefined ? json(response, null) : json(response, fault, 400)
  }
  if (request.method === 'POST' && isAct(name)) {
    const fault = await act(name, await readBody(request), work)
    return fault === undefined ? json(response, toState(work)) : send(response, 400, fault)
  }
  return send(response, 404, 'There is nothing here.')
}

function send(
  response: ServerResponse,
  status: number,
  content: string | Buffer,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { ...headers, 'content-type': type })
  response.end(content)
}

const json = (response: ServerResponse, value: unknown, status = 200): void =>
  send(response, status, JSON.stringify(value), 'application/json')

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBodyBytes) throw new Error('That is too much.')
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
