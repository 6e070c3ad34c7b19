import { isIP } from 'node:net'

interface Fault {
  readonly code?: unknown
  readonly message?: unknown
  readonly port?: unknown
  readonly address?: unknown
  readonly hostname?: unknown
  readonly errors?: readonly Fault[]
  readonly cause?: unknown
}

const isFault = (value: unknown): value is Fault => typeof value === 'object' && value !== null

/** What `fetch` throws holds the reason in its cause, and of a name with two addresses in a list. */
function listFaults(cause: unknown): Fault[] {
  if (!isFault(cause)) return []
  return [cause, ...(cause.errors ?? []), ...listFaults(cause.cause)]
}

/** As Node finds it for requests to this server. */
function findProxy({ protocol }: URL): URL | undefined {
  const { env } = process
  const written =
    protocol === 'https:' ? (env['https_proxy'] ?? env['HTTPS_PROXY']) : (env['http_proxy'] ?? env['HTTP_PROXY'])
  return written !== undefined && URL.canParse(written) ? new URL(written) : undefined
}

const toPort = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** Whether what did not answer was the proxy itself: a server that it does not reach is no fault of its own. */
const isOf = (proxy: URL, server: URL, { port, address, hostname, message }: Fault): boolean => {
  const host = proxy.hostname.replace(/^\[|\]$/g, '')
  if (typeof hostname === 'string') return hostname === host
  if (typeof message === 'string' && message.includes(`${host}:${toPort(proxy)}`)) return true
  return port === toPort(proxy) && (address === host || (isIP(host) === 0 && toPort(server) !== port))
}

/** That the proxy is at fault, as a sentence that names it without user and password; undefined where it is not. */
export function toProxyFault(server: URL, cause: unknown): string | undefined {
  const proxy = findProxy(server)
  if (proxy === undefined) return undefined
  const faults = listFaults(cause)
  for (const { message } of faults) {
    const [, status] = /^Proxy response \((\d+)\)/.exec(String(message)) ?? []
    if (status !== undefined) return `The proxy ${proxy.host} refused (${status}).`
  }
  return faults.some((fault) => isOf(proxy, server, fault)) ? `The proxy ${proxy.host} does not respond.` : undefined
}
