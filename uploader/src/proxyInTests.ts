import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listening = (server: Server): Promise<void> => new Promise((done) => server.listen(0, '127.0.0.1', done))
const joined = (near: Socket, far: Socket): void => {
  for (const socket of [near, far])
    socket.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy()))
  near.pipe(far).pipe(near)
}

/** A certificate authority of a hospital's own, and a certificate of it for one name. */
function makeCertificates(folder: string, name: string): { authority: string; key: Buffer; cert: Buffer } {
  const at = (file: string): string => path.join(folder, file)
  const openssl = (...words: string[]): unknown => execFileSync('openssl', words, { stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-subj', '/CN=Own authority', '-keyout', at('ca.key'), '-out', at('ca.pem'))
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', `subjectAltName=DNS:${name}`]
  openssl('req', '-x509', ...key, '-subj', `/CN=${name}`, ...signed, '-keyout', at('own.key'), '-out', at('own.pem'))
  return { authority: at('ca.pem'), key: readFileSync(at('own.key')), cert: readFileSync(at('own.pem')) }
}

export interface Hospital {
  /** The file with the certificate authority. */
  readonly authority: string
  /** The proxy's address without user and password. */
  readonly proxy: string
  readonly name: string
  /** What the proxy was asked to connect to, and by whom it was asked. */
  readonly asked: { readonly to: string | undefined; readonly authorization: string | undefined }[]
  close(): void
}

/** A network in which the product has a certificate of its own, behind a proxy that wants a password. */
export async function openHospital(folder: string, address: string): Promise<Hospital> {
  const name = 'localhost'
  const { authority, key, cert } = makeCertificates(folder, name)
  const front = createTlsServer({ key, cert }, (near) =>
    joined(near, connect(Number(new URL(address).port), '127.0.0.1')),
  )
  await listening(front)
  const asked: Hospital['asked'] = []
  const proxy = createHttpServer()
  proxy.on('connect', (request, near: Socket) => {
    const authorization = request.headers['proxy-authorization']
    asked.push({ to: request.url, authorization })
    if (authorization !== `Basic ${Buffer.from('scanner:secret').toString('base64')}`)
      return near.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n')
    const far = connect(portOf(front), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      joined(near, far)
    })
  })
  await listening(proxy)
  const close = (): void => {
    proxy.closeAllConnections()
    proxy.close()
    front.close()
  }
  return { authority, proxy: `127.0.0.1:${portOf(proxy)}`, name, asked, close }
}
