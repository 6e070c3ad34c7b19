import { readSettings } from '../../../settings/settings.ts'
import type { FakeKmip } from '../../testing/FakeKmip.ts'
import { startFakeKmip, type KmipInTests } from '../../testing/kmipInTests.ts'
import { readMasterKeys } from '../readMasterKeys.ts'
import type { MasterKey } from '../masterKey.ts'

const names = { keyId: 'a', organizationId: 'b' }
let kmip: KmipInTests
beforeEach(async () => {
  kmip = await startFakeKmip()
})
afterEach(() => kmip.close())

const masterOf = (key = 'kmip:master'): MasterKey =>
  readMasterKeys(readSettings({ DMP_DEMO: '1', ...kmip.variables, DMP_ENCRYPTION_KEY: key }))[0] as MasterKey
const sentenceOf = async (work: Promise<unknown>): Promise<string> => {
  const failure: unknown = await work.catch((cause: unknown) => cause)
  return String(failure).replace(/localhost:\d+/, 'kms')
}
const wrap = (master = masterOf()): Promise<Buffer> => master.wrap(Buffer.alloc(32, 7), names)

/** Real services give the reasons that they like; each says what to do. */
const refusals: readonly [string, (service: FakeKmip) => void, RegExp][] = [
  [
    'a key before its time',
    ({ key }) => void (key.state = 1),
    /holds the key master, but it is Pre-Active, .* Activate/,
  ],
  ['a key that was ended', ({ key }) => void (key.state = 3), /it is Deactivated, .* put another master key first/],
  ['a key for other things', ({ key }) => void (key.mask = 8), /but not for Encrypt\. Its usage mask needs/],
  ['a key of another kind', ({ key }) => void (key.algorithm = 2), /it is not a key for AES\. Make an AES key/],
  ['no right', (service) => void (service.refusesAllWith = 0x0c), /does not let .* Encrypt with the key master/],
  ['an unknown client', (service) => void (service.refusesAllWith = 3), /does not accept the certificate .*clientAuth/],
  ['no cryptography', (service) => void (service.offers = ['Query']), /does not offer Encrypt/],
  ['an old service', (service) => void (service.minor = 2), /speaks KMIP 1\.2, 1\.0, and this server needs 1\.4/],
  [
    'an old one that says nothing else',
    (service) => void Object.assign(service, { minor: 2, refusesAllWith: 4 }),
    /speaks KMIP 1\.2, and/,
  ],
  ['a fault of its own', (service) => void (service.refusesAllWith = 0x100), /refuses Encrypt .*\(General Failure\)/],
  ['a reason of a later version', (service) => void (service.refusesAllWith = 0x3e), /refuses Encrypt .*\(reason 62\)/],
  ['no tag', (service) => void (service.leavesOutTag = true), /encrypts without a nonce of its own or without a tag/],
]
it.each(refusals)('a service that refuses is told apart: %s [P44]', async (_name, change, sentence) => {
  change(kmip.service)
  const message = await sentenceOf(wrap())
  expect(message).toMatch(sentence)
  expect(message).toMatch(/^Error: The key management service at kms /)
})

it('a key that the service does not know', async () => {
  expect(await sentenceOf(wrap(masterOf('kmip:another')))).toBe(
    'Error: The key management service at kms has no key another for the certificate of DMP_KMIP_CERTIFICATE_FILE. Correct kmip:another in the settings, or let this client use the key.',
  )
})

it('a key that was ended still opens what it wrapped', async () => {
  const wrapped = await wrap()
  kmip.service.key.state = 3
  expect(await masterOf().unwrap(wrapped, names)).toEqual(Buffer.alloc(32, 7))
})

it('is asked for nothing but wrapping where nothing is wrong, and never for the key [P44]', async () => {
  await masterOf().unwrap(await wrap(), names)
  expect(kmip.service.asked).toEqual(['Encrypt', 'Decrypt'])
})
