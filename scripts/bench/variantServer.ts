import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { aScanRow, someSettings } from '../../shared/contract/src/examples/index.ts'
import { releaseKey } from '../../shared/release/src/store/ReleaseStore.ts'
import { partWatch, partWatchHeaders, partWatchPath } from '../../server/src/gateway/pageGround.ts'
import { hostPage } from '../../server/src/gateway/pages.ts'
import { contentPolicy } from '../../server/src/core/contentSecurityPolicy.ts'
import { getIntegrity, releaseUrl } from '../../shared/release/src/composition.ts'
import { createCertificate } from '../../uploader/src/gateway/certificate.ts'
import { firstRow } from '../../e2e/bench/measure.ts'
import type { Variant } from './variants.ts'

const settings = someSettings({})
const nonce = 'bench'
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** The answer to the scan list; the same for both variants, so that only their scripts differ. */
const rows = Array.from({ length: 10 }, (_, index) =>
  aScanRow({ seriesUID: `2.25.${index + 1}`, seriesDescription: index === 0 ? firstRow : `Series ${index}` }),
)

export interface VariantServer {
  readonly url: string
  /** SHA-256 of the certificate's public key, base64; empty without TLS. */
  readonly publicKeyHash: string
  stop(): void
}

/**
 * The page of a variant for an address: the product's own page, and for the static one the same hints for the area's
 * chunks.
 */
export function createPage({ name, composition }: Variant, path: string): string {
  const html = hostPage({ nonce, path, composition, settings })
  if (name === 'federated') return html
  const { host } = composition
  const chunks = host.chunks[path.startsWith('/login') ? './remote-account' : './remote-scan'] ?? []
  const tags = chunks.map((file) => {
    const [address, integrity] = [releaseUrl('host', host.releaseId, file), getIntegrity(host, file)]
    return file.endsWith('.css')
      ? `<link rel="stylesheet" href="${address}" integrity="${integrity}">`
      : `<script async src="${address}" integrity="${integrity}" nonce="${nonce}"></script>`
  })
  return html.replace('</head>', `${tags.join('\n')}\n</head>`)
}

/**
 * Serves a variant as the gateway does, from memory, with an API that answers at once; with TLS over HTTP/2, or over
 * HTTP/1.1 for browsers that ask for that.
 */
export async function serveVariant(variant: Variant, { isSecure = false } = {}): Promise<VariantServer> {
  const sockets = new Set<Socket>()
  const certificate = isSecure ? createCertificate('localhost') : undefined
  const server = certificate
    ? createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) =>
        // What is used of it is the same for both.
        answer(variant, request.url, response as unknown as ServerResponse),
      )
    : createServer((request, response) => answer(variant, request.url, response))
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    publicKeyHash: certificate ? hashPublicKey(certificate.cert) : '',
    stop: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function hashPublicKey(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

function answer(variant: Variant, url: string | undefined, response: ServerResponse): void {
  const path = (url ?? '/').split('?', 1)[0] ?? '/'
  if (path === partWatchPath) sendWatch(response)
  else if (path.startsWith('/releases/')) sendFile(variant, path, response)
  else if (path.startsWith('/api/')) sendAnswer(path, response)
  else sendPage(variant, path, response)
}

/** The worker of both: the page asks for it when there is nothing else to do. */
function sendWatch(response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', ...partWatchHeaders(settings) })
    .end(partWatch)
}

function sendFile({ store }: Variant, path: string, response: ServerResponse): void {
  const [, , name = '', releaseId = '', file = ''] = path.split('/')
  const plain = join(store.folder, releaseKey(name, releaseId, file))
  // What does not get smaller, such as a typeface, has no other form.
  const isSmaller = existsSync(`${plain}.br`)
  const content = readFileSync(isSmaller ? `${plain}.br` : plain)
  response
    .writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      ...(isSmaller && { 'content-encoding': 'br' }),
      'content-length': content.length,
      'cache-control': 'public, max-age=31536000, immutable',
    })
    .end(content)
}

function sendAnswer(path: string, response: ServerResponse): void {
  const isList = /^\/api\/scan\/list$/i.test(path)

  response
    .writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
    .end(
      JSON.stringify(
        isList
          ? { data: rows, total: rows.length }
          : { code: 'NOT_FOUND', message: 'Not part of the bench.', requestId: 'bench' },
      ),
    )
}

function sendPage(variant: Variant, path: string, response: ServerResponse): void {
  const html = brotliCompressSync(createPage(variant, path), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-length': html.length,
    'cache-control': 'no-store',
    'content-security-policy': contentPolicy({ nonce, settings }),
  }
  response.writeHead(200, headers).end(html)
}
