import { createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { readSettings } from '../../../settings/settings.ts'
import { createAuthority, writeKmipFiles, type Authority } from '../../testing/certificates.ts'
import { startFakeKmip, type KmipInTests } from '../../testing/kmipInTests.ts'
import { MasterKeyError } from '../masterKey.ts'
import { readMasterKeys } from '../readMasterKeys.ts'
import { kmipWaits } from './kmipLine.ts'
import { tag } from './kmipMessage.ts'
import * as ttlv from './ttlv.ts'

const names = { keyId: 'a', organizationId: 'b' }
let kmip: KmipInTests
let stranger: Authority

beforeAll(async () => {
  stranger = await createAuthority('Strangers')
})
beforeEach(async () => {
  kmip = await startFakeKmip()
})
afterEach(() => {
  jest.restoreAllMocks()
  kmip.close()
})

const masterOf = (variables: Record<string, string> = kmip.variables) =>
  readMasterKeys(readSettings({ DMP_DEMO: '1', ...variables }))[0]
/** The sentence of a key that could not be wrapped. */
async function refused(variables: Record<string, string> = kmip.variables): Promise<string> {
  const failure: unknown = await masterOf(variables)
    ?.wrap(Buffer.alloc(32, 7), names)
    .catch((cause: unknown) => cause)
  expect(failure).toBeInstanceOf(MasterKeyError)
  return (failure as MasterKeyError).message
}

const payloadOf = (...items: readonly Buffer[]): Buffer =>
  ttlv.structure(
    tag.responseMessage,
    ttlv.structure(tag.responseHeader, ttlv.integer(tag.batchCount, 1)),
    ttlv.structure(
      tag.batchItem,
      ttlv.enumeration(tag.operation, 31),
      ttlv.enumeration(tag.resultStatus, 0),
      ttlv.structure(tag.responsePayload, ...items),
    ),
  )

describe('an answer of a broken KMIP service is a sentence [P44]:', () => {
  const faults: readonly [string, (answer: Buffer, socket: TLSSocket) => void, RegExp][] = [
    ['garbage', (_answer, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), /not KMIP: it does not begin/],
    ['a huge length', (_answer, socket) => socket.write(Buffer.from('42007b01fffffff8', 'hex')), /announces 4294967/],
    ['another tag', (answer, socket) => socket.write(Buffer.from(answer).fill(0x78, 2, 3)), /it does not begin/],
    ['cut in the middle', (answer, socket) => socket.end(answer.subarray(0, 50)), /not KMIP: it breaks off/],
    ['cut in the first length', (answer, socket) => socket.end(answer.subarray(0, 5)), /not KMIP: it breaks off/],
    ['nothing', (_answer, socket) => socket.end(), /ended the connection without an answer/],
    ['a line that is torn', (_answer, socket) => socket.destroy(), /ended the connection without an answer/],
    ['more than it announced', (answer, socket) => socket.write(Buffer.concat([answer, answer])), /goes on after/],
    [
      'a wrong length inside',
      (answer, socket) => socket.write(Buffer.from(answer).fill(0xff, 12, 16)),
      /is longer than what holds it/,
    ],
    ['an empty message', (_answer, socket) => socket.write(Buffer.from('42007b0100000000', 'hex')), /is missing/],
    ['no data', (_answer, socket) => socket.write(payloadOf()), /without a nonce of its own or without a tag/],
    [
      'a tag of 4 bytes',
      (_answer, socket) =>
        socket.write(
          payloadOf(
            ttlv.bytes(tag.data, Buffer.alloc(64)),
            ttlv.bytes(tag.iv, Buffer.alloc(12)),
            ttlv.bytes(tag.authenticationTag, Buffer.alloc(4)),
          ),
        ),
      /without a tag of 16 bytes/,
    ],
    [
      'data of another type',
      (_answer, socket) => socket.write(payloadOf(ttlv.text(tag.data, 'abc'))),
      /has another type/,
    ],
  ]
  it.each(faults)('%s', async (_name, say, sentence) => {
    kmip.service.say = say
    expect(await refused()).toMatch(sentence)
    kmip.service.say = undefined
    expect(await masterOf()?.wrap(Buffer.alloc(32), names)).toBeInstanceOf(Buffer)
  })

  it('byte by byte: read all the same', async () => {
    kmip.service.say = async (answer, socket) => {
      socket.setNoDelay(true)
      for (const byte of answer) await new Promise((sent) => socket.write(Buffer.of(byte), sent))
    }
    expect(await masterOf()?.wrap(Buffer.alloc(32), names)).toBeInstanceOf(Buffer)
  })
})

describe('nobody waits for ever [P21, P44]:', () => {
  beforeEach(() => {
    jest.replaceProperty(kmipWaits, 'answerMs', 300)
  })

  it.each([
    ['an answer that never comes', () => undefined],
    ['one that stops in the middle', (answer: Buffer, socket: TLSSocket) => void socket.write(answer.subarray(0, 50))],
    [
      'one that drips',
      (_answer: Buffer, socket: TLSSocket) => {
        socket.write(Buffer.from('42007b01000ffff8', 'hex'))
        const timer = setInterval(() => socket.write(Buffer.of(0)), 20)
        socket.on('close', () => clearInterval(timer))
      },
    ],
  ])('%s', async (_name, say) => {
    kmip.service.say = say
    expect(await refused()).toMatch(/does not respond \(timeout\)\. Start it, or correct DMP_KMIP_ADDRESS\./)
  })

  it('a port that takes everything and says nothing', async () => {
    expect(await atPlainPort(() => undefined)).toMatch(/does not respond \(timeout\)/)
  })
})

/** The sentence about a port that is nothing like TLS. */
async function atPlainPort(serve: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createPlainServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await refused({
      ...kmip.variables,
      DMP_KMIP_ADDRESS: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

describe('who is on the line is known before anything is said [P44]:', () => {
  /** A service that must never hear a word. */
  async function silentlyRefused(change: Parameters<typeof startFakeKmip>[0], host = 'localhost'): Promise<string> {
    const other = await startFakeKmip(change)
    try {
      const port = other.variables['DMP_KMIP_ADDRESS']?.split(':')[1]
      const message = await refused({ ...kmip.variables, DMP_KMIP_ADDRESS: `${host}:${port}` })
      expect(other.service.asked).toEqual([])
      return message
    } finally {
      other.close()
    }
  }
  const doesNotPass = (code: string): RegExp =>
    new RegExp(String.raw`shows a certificate that does not pass \(${code}\), so nothing was sent to it\.`)

  it('not a service of another authority, whatever the environment of Node says', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await silentlyRefused(await stranger.issue())).toMatch(doesNotPass('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  it('not one with the name of another machine', async () => {
    const own = await kmip.authority.issue({ name: 'other.example.org' })
    expect(await silentlyRefused(own)).toMatch(doesNotPass('ERR_TLS_CERT_ALTNAME_INVALID'))
    expect(await silentlyRefused(await kmip.authority.issue(), '127.0.0.1')).toMatch(
      doesNotPass('ERR_TLS_CERT_ALTNAME_INVALID'),
    )
  })

  it('not one whose certificate has expired, or is that of a client', async () => {
    expect(await silentlyRefused(await kmip.authority.issue({ isExpired: true }))).toMatch(
      doesNotPass('CERT_HAS_EXPIRED'),
    )
    const client = await kmip.authority.issue({ purpose: 'clientAuth' })
    expect(await silentlyRefused(client)).toMatch(doesNotPass('INVALID_PURPOSE'))
  })

  it('not one that knows TLS 1.1 only', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    expect(await silentlyRefused({ ...(await kmip.authority.issue()), ...old })).toMatch(/no version of TLS in common/)
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'and a client that the service does not know is told so (%s)',
    async (version) => {
      const other = await startFakeKmip({ minVersion: version, maxVersion: version })
      const client = await stranger.issue({ name: 'dmp', purpose: 'clientAuth' })
      const files = writeKmipFiles(kmip.folder, other.authority.cert, client)
      const message = await refused({ ...other.variables, ...files })
      expect(other.service.asked).toEqual([])
      other.close()
      expect(message).toMatch(
        /refuses the certificate of DMP_KMIP_CERTIFICATE_FILE \(ERR_SSL_|without an answer\. Look/,
      )
    },
  )

  it('a renewed certificate counts without a restart', async () => {
    const master = masterOf()
    const expired = await kmip.authority.issue({ name: 'dmp', purpose: 'clientAuth', isExpired: true })
    writeKmipFiles(kmip.folder, kmip.authority.cert, expired)
    await expect(master?.wrap(Buffer.alloc(32), names)).rejects.toThrow(/refuses the certificate|without an answer/)
    const renewed = await kmip.authority.issue({ name: 'dmp', purpose: 'clientAuth' })
    writeKmipFiles(kmip.folder, kmip.authority.cert, renewed)
    expect(await master?.wrap(Buffer.alloc(32), names)).toBeInstanceOf(Buffer)
  })
})

describe('wrong settings end with a sentence:', () => {
  it('nobody listens, and no such host', async () => {
    expect(await refused({ ...kmip.variables, DMP_KMIP_ADDRESS: '127.0.0.1:9' })).toBe(
      'The key management service at 127.0.0.1:9 does not respond (ECONNREFUSED). Start it, or correct DMP_KMIP_ADDRESS.',
    )
    expect(await refused({ ...kmip.variables, DMP_KMIP_ADDRESS: 'kms.invalid' })).toMatch(
      /at kms\.invalid:5696 does not respond \((?:ENOTFOUND|EAI_AGAIN)\)/,
    )
  })

  it('a port that speaks no TLS', async () => {
    expect(await atPlainPort((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'))).toMatch(/does not speak TLS/)
    expect(await atPlainPort((socket) => socket.destroy())).toMatch(/ended the connection without an answer/)
  })

  it('a missing file, and files that do not belong together', async () => {
    const missing = { ...kmip.variables, DMP_KMIP_KEY_FILE: '/nowhere/key' }
    expect(await refused(missing)).toMatch(/^The file \/nowhere\/key of DMP_KMIP_KEY_FILE cannot be read \(ENOENT\)/)
    const { key } = await stranger.issue()
    const { cert } = await kmip.authority.issue()
    const files = writeKmipFiles(kmip.folder, kmip.authority.cert, { cert, key })
    expect(await refused({ ...kmip.variables, ...files })).toMatch(/do not fit together \(ERR_OSSL_X509_KEY_VALUES/)
    const noKey = writeKmipFiles(kmip.folder, kmip.authority.cert, { cert, key: 'no key' })
    expect(await refused({ ...kmip.variables, ...noKey })).toMatch(/do not fit together \(ERR_OSSL_/)
  })

  it.each(['kms.example.org:port', 'https://kms.example.org', 'me@kms.example.org', 'a b', 'kms.example.org:70000'])(
    'the address %s',
    (address) => {
      expect(() => masterOf({ ...kmip.variables, DMP_KMIP_ADDRESS: address })).toThrow(
        /^DMP_KMIP_ADDRESS is wrong: .* is not a host and a port such as kms\.example\.org:5696/,
      )
    },
  )
})
