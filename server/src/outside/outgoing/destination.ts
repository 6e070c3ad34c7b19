import ipaddr from 'ipaddr.js'
import { isWithin } from '../../core/networks.ts'

/** What an operator allows beyond public addresses by https. */
export interface AllowedDestinations {
  /** Networks that are not public. */
  readonly networks: readonly string[]
  /** Hosts, each with or without a port: wherever they are, at any port, and by http. */
  readonly hosts: readonly string[]
}

const ports = ['', '443', '8443']
/** Public by its number, and yet the machine's own: the platform service of Azure. */
const ownServices = ['168.63.129.16/32']
const globalUnicast = '2000::/3'

/** The host of an address without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

export function isNamedHost(url: URL, { hosts }: AllowedDestinations): boolean {
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  const host = url.hostname.toLowerCase()
  return hosts.includes(host) || hosts.includes(`${host}:${port}`)
}

/** Whether the address may be connected to: what is not known to be public is not (P49). */
export function isAllowedAddress(address: string, { networks }: AllowedDestinations): boolean {
  if (isWithin(networks, address)) return true
  if (!ipaddr.isValid(address) || isWithin(ownServices, address)) return false
  // As it is written: an IPv4 address in the form of an IPv6 one is refused as such.
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isWithin([globalUnicast], address))
}

/** Why nothing is ever sent to the address, as far as the address itself tells; undefined where it may be. */
export function findFault(url: URL, allowed: AllowedDestinations): string | undefined {
  if (url.username !== '' || url.password !== '')
    return 'An address must not hold a user name or a password: they would be kept in the clear.'
  if (isNamedHost(url, allowed)) return undefined
  if (url.protocol !== 'https:')
    return 'This address must begin with “https:”. An operator can allow single hosts otherwise (DMP_WEBHOOK_HOSTS).'
  if (!ports.includes(url.port))
    return 'This port is not allowed: use 443 or 8443. An operator can allow single hosts (DMP_WEBHOOK_HOSTS).'
  const host = hostOf(url)
  if (ipaddr.isValid(host) ? !isAllowedAddress(host, allowed) : isOwnName(host)) return notPublic
  return undefined
}

/** Names that no public server answers to (RFC 6761, RFC 6762, RFC 8375), and those without a domain. */
const isOwnName = (host: string): boolean =>
  !host.replace(/\.$/, '').includes('.') || /\.(?:localhost|local|internal|home\.arpa)\.?$/.test(host)

export const notPublic =
  'This address lies in a network that is not public. An operator can allow it (DMP_WEBHOOK_NETWORKS, DMP_WEBHOOK_HOSTS).'
