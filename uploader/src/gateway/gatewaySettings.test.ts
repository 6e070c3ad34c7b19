import { Stop } from '../stop.ts'
import { toGateway } from './gatewaySettings.ts'

const gateway = (more: object = {}) => ({ aeTitle: 'DMP_GATEWAY', port: 11112, ...more })
const partner = (more: object = {}) => ({ aeTitle: 'CT_ROOM3', ...more })
const fingerprint = 'ab'.repeat(32)

it.each([
  [gateway(), { aeTitle: 'DMP_GATEWAY', port: 11112, partners: [], reserveGigabytes: 5 }],
  [gateway({ port: 1 }), { port: 1 }],
  [gateway({ port: 65_535 }), { port: 65_535 }],
  [gateway({ host: '10.0.0.2' }), { host: '10.0.0.2' }],
  [gateway({ reserveGigabytes: 0 }), { reserveGigabytes: 0 }],
  [gateway({ reserveGigabytes: 100_000 }), { reserveGigabytes: 100_000 }],
  [gateway({ tls: null }), { tls: undefined }],
  [gateway({ tls: { port: 2762 } }), { tls: { port: 2762 } }],
  [gateway({ tls: { port: 2762, certificateFile: '/c.pem', keyFile: '/k.pem' } }), { tls: { keyFile: '/k.pem' } }],
  [gateway({ partners: [partner({ address: '10.0.0.7', port: 104 })] }), { partners: [{ port: 104 }] }],
  [
    gateway({ partners: [partner({ fingerprint: fingerprint.replaceAll(/(..)(?!$)/g, '$1:') })] }),
    { partners: [{ aeTitle: 'CT_ROOM3', fingerprint: fingerprint.toUpperCase() }] },
  ],
])('the gateway of %j is taken', (value, settings) => {
  expect(toGateway(value)).toMatchObject(settings)
})

it.each<[unknown, string]>([
  ['no', 'should be {'],
  [[], 'should be {'],
  [gateway({ colour: 'red' }), 'a setting "colour" that does not exist'],
  [gateway({ aeTitle: '' }), 'needs an AE title of 1 to 16'],
  [gateway({ aeTitle: 'x'.repeat(17) }), 'needs an AE title of 1 to 16'],
  [gateway({ port: 0 }), 'needs a port from 1 to 65535'],
  [gateway({ port: 65_536 }), 'needs a port from 1 to 65535'],
  [gateway({ port: 104.5 }), 'needs a port from 1 to 65535'],
  [gateway({ port: '104' }), 'needs a port from 1 to 65535'],
  [gateway({ port: undefined }), 'needs a port from 1 to 65535'],
  [gateway({ host: 'localhost' }), 'should be an address of this machine'],
  [gateway({ host: 7 }), 'should be an address of this machine'],
  [gateway({ reserveGigabytes: -1 }), 'from 0 to 100000'],
  [gateway({ reserveGigabytes: 100_001 }), 'from 0 to 100000'],
  [gateway({ reserveGigabytes: '5' }), 'from 0 to 100000'],
  [gateway({ partners: {} }), 'a list of at most 200'],
  [gateway({ partners: Array.from({ length: 201 }, (_, at) => partner({ aeTitle: `CT${at}` })) }), 'at most 200'],
  [gateway({ partners: [partner(), partner()] }), 'Two partners'],
  [gateway({ partners: ['CT'] }), 'should be {'],
  [gateway({ partners: [null] }), 'should be {'],
  [gateway({ partners: [partner({ address: 'ct.local' })] }), 'should be a number such as'],
  [gateway({ partners: [partner({ address: 7 })] }), 'should be a number such as'],
  [gateway({ partners: [partner({ port: 104 })] }), 'needs its address'],
  [gateway({ partners: [partner({ address: '10.0.0.7', port: 0 })] }), 'from 1 to 65535'],
  [gateway({ partners: [partner({ fingerprint: 'ab' })] }), 'the SHA-256'],
  [gateway({ partners: [partner({ fingerprint: 7 })] }), 'the SHA-256'],
  [gateway({ tls: [] }), '"tls" should be'],
  [gateway({ tls: 'yes' }), '"tls" should be'],
  [gateway({ tls: { port: 11112 } }), 'a port of its own'],
  [gateway({ tls: { port: 0 } }), 'a port of its own'],
  [gateway({ tls: { port: 2762, keyFile: '/k.pem' } }), 'or neither'],
  [gateway({ tls: { port: 2762, certificateFile: 'c.pem', keyFile: '/k.pem' } }), 'the whole path of a PEM file'],
  [gateway({ tls: { port: 2762, authoritiesFile: 7 } }), 'the whole path of a PEM file'],
])('the gateway of %j is not taken: %s', (value, words) => {
  expect(() => toGateway(value)).toThrow(Stop)
  expect(() => toGateway(value)).toThrow(words)
})

it('is not there where nobody wrote of it, and has two hundred partners at most', () => {
  expect([toGateway(undefined), toGateway(null)]).toEqual([undefined, undefined])
  const partners = Array.from({ length: 200 }, (_, at) => partner({ aeTitle: `CT${at}` }))
  expect(toGateway(gateway({ partners }))?.partners).toHaveLength(200)
})
