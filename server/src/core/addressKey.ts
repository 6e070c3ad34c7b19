import ipaddr from 'ipaddr.js'

/**
 * The network that an address is counted as. Whoever has one IPv6 address has the 2^64 others of its /64 as well, and
 * an IPv4 address may also be written as an IPv6 one.
 */
export function toAddressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)])
  return `${network.toString()}/64`
}
