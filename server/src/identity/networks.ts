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

/** The network in one spelling, `10.20.0.0/16`; undefined for what is none. */
export function formatNetwork(text: string): string | undefined {
  // Short forms such as `10.1`, which programs read differently.
  if (!text.includes(':') && text.split('.').length !== 4) return undefined
  const network = parseNetwork(text)
  if (!network) return undefined
  const [address, bits] = network
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
