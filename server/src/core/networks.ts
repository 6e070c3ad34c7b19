import ipaddr from 'ipaddr.js'

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

function parseNetwork(text: string): Network | undefined {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined
  }
}

/** IPv4 in the form of IPv6 is IPv4: callers are looked up so (`isWithin`). */
const toIPv4 = ([address, bits]: Network): Network =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : [address, bits]

/** The network in one spelling, `10.20.0.0/16`; undefined for what is none. */
export function formatNetwork(text: string): string | undefined {
  // Short forms such as `10.1`, which programs read differently.
  if (!text.includes(':') && text.split('.').length !== 4) return undefined
  // 010.0.0.1 is 10.0.0.1 to people and 8.0.0.1 to programs.
  if (/(?:^|[.:])0\d+\.|\.0\d+(?:\/|$)/.test(text)) return undefined
  const network = parseNetwork(text)
  if (!network) return undefined
  const [address, bits] = toIPv4(network)
  const base = (address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${address}/${bits}`)
  return `${base}/${bits}`
}

/** Whether the address lies in one of the networks; an IPv4 address may be written as an IPv6 one. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network !== undefined && network[0].kind() === parsed.kind() && parsed.match(network)
  })
}
