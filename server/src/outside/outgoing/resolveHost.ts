import { Resolver, lookup } from 'node:dns/promises'

export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a name; `isNamed` for hosts that the operator named. */
export type ResolveHost = (host: string, isNamed: boolean) => Promise<readonly HostAddress[]>

/**
 * The system looks a name up in one of a few threads that everything shares, for as long as a name server likes: names
 * that strangers chose are asked of DNS, which needs no thread. Only names of the operator may stand in /etc/hosts.
 */
export const resolveHost: ResolveHost = async (host, isNamed) => {
  if (isNamed) {
    const addresses = await lookup(host, { all: true })
    return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
  }
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return [
    ...(v4.status === 'fulfilled' ? v4.value : []).map((address) => ({ address, family: 4 as const })),
    ...(v6.status === 'fulfilled' ? v6.value : []).map((address) => ({ address, family: 6 as const })),
  ]
}
