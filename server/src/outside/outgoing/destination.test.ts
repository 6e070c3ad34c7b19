import { findFault, isAllowedAddress, type AllowedDestinations } from './destination.ts'

const nothing: AllowedDestinations = { networks: [], hosts: [] }

describe('an address to connect to', () => {
  it.each([
    ['of the own machine', '127.0.0.1'],
    ['of the own machine, further on', '127.255.255.254'],
    ['of the own machine, IPv6', '::1'],
    ['that is none', '0.0.0.0'],
    ['that is none, in the same network', '0.1.2.3'],
    ['that is none, IPv6', '::'],
    ['of a private network, 10', '10.0.0.1'],
    ['of a private network, 172.16', '172.16.0.1'],
    ['of a private network, up to 172.31', '172.31.255.255'],
    ['of a private network, 192.168', '192.168.1.1'],
    ['of a link', '169.254.0.1'],
    ['of the metadata of a cloud', '169.254.169.254'],
    ['of the metadata of AWS, IPv6', 'fd00:ec2::254'],
    ['of the metadata of Alibaba', '100.100.100.200'],
    ['of the metadata of Oracle', '192.0.0.192'],
    ['of the platform service of Azure', '168.63.129.16'],
    ['behind the NAT of a carrier', '100.64.0.1'],
    ['of many', '224.0.0.1'],
    ['of all', '255.255.255.255'],
    ['that is reserved', '240.0.0.1'],
    ['for documents', '192.0.2.1'],
    ['for benchmarks', '198.18.0.1'],
    ['of 6to4 relays', '192.88.99.1'],
    ['of a link, IPv6', 'fe80::1'],
    ['of a site, IPv6', 'fec0::1'],
    ['of a private network, IPv6', 'fc00::1'],
    ['of many, IPv6', 'ff02::1'],
    ['of IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['of IPv4 in IPv6, in hexadecimal', '::ffff:7f00:1'],
    ['of a public IPv4 in IPv6', '::ffff:8.8.8.8'],
    ['of IPv4 compatible with IPv6', '::127.0.0.1'],
    ['of NAT64', '64:ff9b::7f00:1'],
    ['of a local NAT64', '64:ff9b:1::1'],
    ['of a translator', '::ffff:0:7f00:1'],
    ['of 6to4', '2002:7f00:1::1'],
    ['of Teredo', '2001::1'],
    ['for documents, IPv6', '2001:db8::1'],
    ['of segment routing', '5f00::1'],
    ['outside of what is given out', '4000::1'],
    ['with a zone', 'fe80::1%eth0'],
    ['that is a name', 'localhost'],
    ['that is nothing', ''],
  ])('%s is refused: %s [P49]', (_what, address) => {
    expect(isAllowedAddress(address, nothing)).toBe(false)
  })

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'that is public is allowed: %s [P49]',
    (address) => {
      expect(isAllowedAddress(address, nothing)).toBe(true)
    },
  )

  it('in a network that the operator named is allowed, and its neighbour is not [P49]', () => {
    const allowed = { networks: ['10.20.0.0/16', 'fd00:1::/32'], hosts: [] }
    for (const address of ['10.20.3.4', '::ffff:10.20.3.4', 'fd00:1::5'])
      expect([address, isAllowedAddress(address, allowed)]).toEqual([address, true])
    for (const address of ['10.21.0.1', 'fd00:2::5', '127.0.0.1'])
      expect([address, isAllowedAddress(address, allowed)]).toEqual([address, false])
  })
})

describe('the address of a webhook', () => {
  it.each([
    'http://receiver.example/',
    'https://receiver.example:22/',
    'https://receiver.example:8080/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://localhost/',
    'https://localhost./',
    'https://a.localhost/',
    'https://printer.local/',
    'https://intranet/',
    'https://db.internal/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://somebody@receiver.example/',
    'https://somebody:secret@receiver.example/',
    'https://named.example:9000/',
    'http://other.example/',
    'ftp://receiver.example/',
  ])('is refused: %s [P49]', (url) => {
    expect(findFault(new URL(url), { networks: [], hosts: ['named.example:8080'] })).toEqual(expect.any(String))
  })

  it.each([
    'https://receiver.example/',
    'https://receiver.example:8443/path?key=1',
    'https://8.8.8.8/',
    'https://10.20.0.7/',
    'http://named.example:8080/',
    'http://anywhere.example:1234/',
    'http://[::1]:5000/',
  ])('is allowed: %s [P49]', (url) => {
    const allowed = { networks: ['10.20.0.0/16'], hosts: ['named.example:8080', 'anywhere.example', '[::1]'] }
    expect(findFault(new URL(url), allowed)).toBeUndefined()
  })

  it('holds no user name, also for a host that the operator named [P49]', () => {
    const allowed = { networks: [], hosts: ['named.example'] }
    expect(findFault(new URL('http://a:b@named.example/'), allowed)).toMatch(/user name or a password/)
  })
})
