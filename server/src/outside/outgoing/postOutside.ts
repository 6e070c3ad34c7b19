import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { findFault, hostOf, isAllowedAddress, isNamedHost, type AllowedDestinations } from './destination.ts'
import { resolveHost, type HostAddress, type ResolveHost } from './resolveHost.ts'

export interface OutsideAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The beginning of the body. */
  readonly text: string
}

export type OutsideProblem = 'AddressRefused' | 'NameUnknown' | 'NoConnection' | 'CertificateRefused' | 'TooSlow'

/** Why there was no answer; the reason of the system is left out, because it may repeat what a stranger wrote. */
export class OutsideFailure extends Error {
  readonly problem: OutsideProblem

  constructor(problem: OutsideProblem) {
    super(problem)
    this.name = 'OutsideFailure'
    this.problem = problem
  }
}

export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Limits {
  readonly allowed: AllowedDestinations
  readonly timeoutMs: number
  readonly answerBytes: number
  readonly resolve?: ResolveHost
}

/** Of an answer, its headers and its body are bounded; but for this, it could be preceded by any number of others. */
const mostInterim = 20

/**
 * Posts to an address that a customer chose. The name is looked up once, every address of it is judged, and the
 * connection goes to one of those: a name that answers differently the next time gains nothing. Redirects are not
 * followed, and of the answer no more than its beginning is read.
 */
export async function postOutside({ url: text, headers, body }: Outgoing, limits: Limits): Promise<OutsideAnswer> {
  const { allowed, timeoutMs } = limits
  const url = new URL(text)
  if (findFault(url, allowed) !== undefined) throw new OutsideFailure('AddressRefused')
  const signal = AbortSignal.timeout(timeoutMs)
  const addresses = await within(signal, findAddresses(url, limits))
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // A connection of its own: none that was judged for somebody else.
    agent: false,
    lookup: toLookup(addresses),
    maxHeaderSize: 16_384,
    signal,
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, options)
    let isAnswered = false
    const fail = (cause?: Error): void => {
      if (!isAnswered) reject(new OutsideFailure(toProblem(cause, signal)))
    }
    request.on('error', fail)
    // Not every end is an error.
    request.on('close', () => fail())
    let interim = 0
    request.on('information', () => {
      interim += 1
      if (interim > mostInterim) request.destroy(new Error('no end of interim answers'))
    })
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(toAnswer(response, ''))
    })
    request.on('response', (response) => {
      isAnswered = true
      void readBeginning(response, limits.answerBytes).then((beginning) => {
        request.destroy()
        resolve(toAnswer(response, beginning))
      })
    })
    request.end(body)
  })
}

const toAnswer = ({ statusCode, headers }: IncomingMessage, text: string): OutsideAnswer => ({
  status: statusCode ?? 0,
  retryAfter: headers['retry-after'],
  text,
})

/** Every address of the host, or none: one that is not allowed refuses them all. */
async function findAddresses(url: URL, { allowed, resolve = resolveHost }: Limits): Promise<readonly HostAddress[]> {
  const host = hostOf(url)
  const isNamed = isNamedHost(url, allowed)
  const family = isIP(host)
  const addresses =
    family === 0
      ? await resolve(host, isNamed).catch(() => [])
      : [{ address: host, family: family === 6 ? (6 as const) : (4 as const) }]
  if (addresses.length === 0) throw new OutsideFailure('NameUnknown')
  if (!isNamed && !addresses.every(({ address }) => isAllowedAddress(address, allowed)))
    throw new OutsideFailure('AddressRefused')
  return addresses
}

const toLookup =
  (addresses: readonly HostAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(new OutsideFailure('TooSlow'))
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

const certificateCodes = /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/

function toProblem(cause: Error | undefined, signal: AbortSignal): OutsideProblem {
  if (signal.aborted) return 'TooSlow'
  const { code = '' } = (cause ?? {}) as { code?: string }
  return certificateCodes.test(code) ? 'CertificateRefused' : 'NoConnection'
}

/** What came before the limit, the end, or the time was over: the status has arrived, and it alone decides. */
async function readBeginning(response: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= mostBytes) break
    }
  } catch {
    // Broken off, or too slow.
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8')
}
