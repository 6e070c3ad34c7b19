import { toAddressKey } from './addressKey.ts'

it.each([
  ['an IPv4 address is itself', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 address in the form of IPv6 is the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
  ['as is one whose last half is hexadecimal', '::ffff:cb00:7107', '203.0.113.7'],
  ['an IPv6 address is its /64', '2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['however it is written', '2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['a link-local address loses its zone', 'fe80::1%eth0', 'fe80::/64'],
  ['a text that is no address stays what it is', 'this machine', 'this machine'],
])('%s [P04, P19]', (_what, address, key) => {
  expect(toAddressKey(address)).toBe(key)
})

it('tells two networks of one provider apart', () => {
  expect(toAddressKey('2001:db8:1:2::1')).not.toBe(toAddressKey('2001:db8:1:3::1'))
})
