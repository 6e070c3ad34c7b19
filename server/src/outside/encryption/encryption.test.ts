import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { AwsClient } from 'aws4fetch'
import { StartFailure } from '../../core/StartFailure.ts'
import { openDatabase, type Database } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { createWriter } from '../../db/write.ts'
import { readKeys } from '../../identity/keys.ts'
import { readSettings, type Settings } from '../../settings/settings.ts'
import { createTestMasterKey } from '../../testing/objects.ts'
import { openEncryption, type Encryption } from './encryption.ts'

let organizationId: string
let root: string
let database: Database
const open = (variables: Record<string, string>): Promise<Encryption> =>
  openWith(readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: root, ...variables }))
const openWith = async (settings: Settings): Promise<Encryption> =>
  openEncryption(settings, database.db, createWriter(database.db, (await readKeys(settings)).audit))
const refused = async (variables: Record<string, string>): Promise<string> => {
  const failure: unknown = await open(variables).catch((cause: unknown) => cause)
  expect(failure).toBeInstanceOf(StartFailure)
  return (failure as StartFailure).message
}
const place = () => ['header', organizationId, '1.2.3'] as const
const seal = async (encryption: Encryption, value: string): Promise<Uint8Array> =>
  (await encryption.current(organizationId))?.seal(place(), Buffer.from(value)) ?? Buffer.from('')
const unseal = async (encryption: Encryption, sealed: Uint8Array): Promise<string> =>
  Buffer.from(await encryption.unseal(place(), sealed, null)).toString()

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'dmp-keys-'))
  database = await openDatabase({ kind: 'memory' })
  await migrate(database.db)
})
beforeEach(async () => {
  organizationId = randomUUID()
  await database.db.deleteFrom('organization_keys').execute()
  await database.db
    .insertInto('organizations')
    .values({ id: organizationId, name: organizationId, region_id: null, status_by: 'System', datastore_id: null })
    .execute()
})
afterAll(async () => {
  await database.close()
  rmSync(root, { recursive: true, force: true })
})

describe('data keys', () => {
  it('are made once, also by two servers at a time, and open what they sealed after a restart', async () => {
    const DMP_ENCRYPTION_KEY = createTestMasterKey()
    const [first, second] = [await open({ DMP_ENCRYPTION_KEY }), await open({ DMP_ENCRYPTION_KEY })]
    const sealed = await Promise.all([seal(first, 'one'), seal(second, 'two')])
    expect(await database.db.selectFrom('organization_keys').select('id').execute()).toHaveLength(1)
    const later = await open({ DMP_ENCRYPTION_KEY })
    expect(await Promise.all(sealed.map((value) => unseal(later, value)))).toEqual(['one', 'two'])
    expect(await unseal(later, Buffer.from('in the clear'))).toBe('in the clear')
  })

  it('open a value in its own place only', async () => {
    const encryption = await open({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
    const sealed = await seal(encryption, 'one')
    for (const other of [
      ['header', organizationId, '1.2.4'],
      ['header', randomUUID(), '1.2.3'],
      ['thumbnail', organizationId, '1.2.3'],
    ] as const)
      await expect(encryption.unseal(other, sealed, null)).rejects.toMatchObject({ fault: 'DAMAGED' })
  })

  it('rotate: a new one seals what is new, the retired one still opens', async () => {
    const encryption = await open({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
    const sealed = await seal(encryption, 'before')
    const keyId = await encryption.add(organizationId, 'next')
    expect((await encryption.current(organizationId))?.id).toBe(keyId)
    expect([await unseal(encryption, sealed), await unseal(encryption, await seal(encryption, 'after'))]).toEqual([
      'before',
      'after',
    ])
  })

  it('move to another master key without another change, each recorded', async () => {
    const [old, next] = [createTestMasterKey(), createTestMasterKey()]
    const sealed = await seal(await open({ DMP_ENCRYPTION_KEY: old }), 'kept')
    const both = await open({ DMP_ENCRYPTION_KEY: `${next} ${old}` })
    expect([await both.rewrap(), await both.rewrap()]).toEqual([1, 0])
    expect(await unseal(await open({ DMP_ENCRYPTION_KEY: next }), sealed)).toBe('kept')
    expect(await refused({ DMP_ENCRYPTION_KEY: old })).toMatch(/wraps 1 data key, and the settings name only local:/)
    const events = await database.db
      .selectFrom('audit')
      .select('event')
      .where('organization_id', '=', organizationId)
      .orderBy('position')
      .execute()
    expect(events.map(({ event }) => event)).toEqual(['EncryptionKeyAdded', 'EncryptionKeysRewrapped'])
  })
})

describe('a start with the wrong keys ends with a sentence [P21, P23]', () => {
  it('when none is set although something is encrypted', async () => {
    await seal(await open({ DMP_ENCRYPTION_KEY: createTestMasterKey() }), 'secret')
    expect(await refused({})).toMatch(/^Scans of this installation are encrypted: .* no master key is set\./)
  })

  it('when a wrapped key was changed', async () => {
    const DMP_ENCRYPTION_KEY = createTestMasterKey()
    await seal(await open({ DMP_ENCRYPTION_KEY }), 'secret')
    await database.db
      .updateTable('organization_keys')
      .set({ wrapped: randomBytes(60) })
      .execute()
    expect(await refused({ DMP_ENCRYPTION_KEY })).toMatch(/does not open with the master key/)
  })

  it.each([
    ['too short', { DMP_ENCRYPTION_KEY: 'c2VjcmV0' }, /neither 32 bytes in base64 nor kms:/],
    ['a missing file', { DMP_ENCRYPTION_KEY_FILE: '/nowhere/key' }, /cannot be read \(ENOENT\)/],
    ['a service without access', { DMP_ENCRYPTION_KEY: 'kms:alias/dmp' }, /DMP_KMS_ACCESS_KEY_ID/],
  ])('when a key is %s', async (_name, variables, sentence) => {
    const message = await refused(variables)
    expect(message).toMatch(sentence)
    expect(message).not.toContain('c2VjcmV0')
  })

  it('but a file of keys with comments is read, the first wrapping', async () => {
    const file = join(root, 'keys')
    const [first, second] = [createTestMasterKey(), createTestMasterKey()]
    writeFileSync(file, `# of 2026\n${first}\n${second}\n`)
    const { masters } = await open({ DMP_ENCRYPTION_KEY_FILE: file })
    expect(masters.map(({ id }) => id)).toEqual(
      (await open({ DMP_ENCRYPTION_KEY: `${first} ${second}` })).masters.map(({ id }) => id),
    )
    writeFileSync(file, '# nothing\n')
    expect(await refused({ DMP_ENCRYPTION_KEY_FILE: file })).toContain('holds no key')
  })
})

/** The edge of AWS KMS: checks signatures, and encrypts under one key with the context as associated data. */
class FakeKms {
  readonly #key = randomBytes(32)
  readonly #server: Server
  readonly calls: { action: string; context: unknown }[] = []
  static readonly access = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a-secret-of-tests' }

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '')
    const isSigned = await this.#isSigned(request, body)
    const { KeyId, Plaintext, CiphertextBlob, EncryptionContext } = JSON.parse(body) as Record<string, string>
    this.calls.push({ action, context: EncryptionContext })
    const say = (status: number, answer: object): void => void response.writeHead(status).end(JSON.stringify(answer))
    if (!isSigned) return say(400, { __type: 'InvalidSignatureException' })
    if (KeyId !== 'alias/dmp') return say(400, { __type: 'com.amazonaws.kms#NotFoundException' })
    const context = Buffer.from(JSON.stringify(EncryptionContext))
    if (action === 'Encrypt') {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(context)
      const sealed = [nonce, cipher.update(Plaintext ?? '', 'base64'), cipher.final(), cipher.getAuthTag()]
      return say(200, { KeyId, CiphertextBlob: Buffer.concat(sealed).toString('base64') })
    }
    try {
      const sealed = Buffer.from(CiphertextBlob ?? '', 'base64')
      const cipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12)).setAAD(context)
      cipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()])
      return say(200, { KeyId, Plaintext: plain.toString('base64') })
    } catch {
      return say(400, { __type: 'InvalidCiphertextException' })
    }
  }

  async #isSigned(request: IncomingMessage, body: string): Promise<boolean> {
    const header = (name: string): string => String(request.headers[name])
    const client = new AwsClient({ ...FakeKms.access, service: 'kms', region: 'eu-central-1' })
    const signed = await client.sign(`http://${header('host')}/`, {
      method: 'POST',
      body,
      headers: { 'content-type': header('content-type'), 'x-amz-target': header('x-amz-target') },
      aws: { datetime: header('x-amz-date') },
    })
    return signed.headers.get('authorization') === header('authorization')
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

describe('a key management service', () => {
  let kms: FakeKms
  let variables: Record<string, string>
  beforeEach(async () => {
    kms = new FakeKms()
    variables = {
      DMP_ENCRYPTION_KEY: 'kms:alias/dmp',
      DMP_KMS_ENDPOINT: await kms.listen(),
      DMP_KMS_REGION: 'eu-central-1',
      DMP_KMS_ACCESS_KEY_ID: FakeKms.access.accessKeyId,
      DMP_KMS_SECRET_ACCESS_KEY: FakeKms.access.secretAccessKey,
    }
  })
  afterEach(() => kms.close())

  it('wraps and unwraps data keys, each in the context of its organization', async () => {
    const sealed = await seal(await open(variables), 'guarded')
    const later = await open(variables)
    kms.calls.length = 0
    expect([await unseal(later, sealed), await unseal(later, sealed)]).toEqual(['guarded', 'guarded'])
    expect(kms.calls).toEqual([])
    const [row] = await database.db.selectFrom('organization_keys').selectAll().execute()
    await open(variables)
    expect([row?.master, kms.calls]).toEqual([
      'kms:alias/dmp',
      [{ action: 'Decrypt', context: { dataKey: row?.id, organization: organizationId } }],
    ])
  })

  it('takes over from a key of the settings', async () => {
    const local = createTestMasterKey()
    const sealed = await seal(await open({ DMP_ENCRYPTION_KEY: local }), 'moved')
    expect(await (await open({ ...variables, DMP_ENCRYPTION_KEY: `kms:alias/dmp ${local}` })).rewrap()).toBe(1)
    expect(await unseal(await open(variables), sealed)).toBe('moved')
  })

  it('ends the start with a sentence when it refuses or does not respond', async () => {
    const wrongSecret = { ...variables, DMP_KMS_SECRET_ACCESS_KEY: 'another-secret' }
    const messages = [
      await refused(wrongSecret),
      await refused({ ...variables, DMP_ENCRYPTION_KEY: 'kms:alias/other' }),
      await refused({ ...variables, DMP_KMS_ENDPOINT: 'http://127.0.0.1:9/' }),
    ]
    expect(messages).toEqual([
      expect.stringMatching(/refuses Encrypt .*InvalidSignatureException/),
      expect.stringMatching(/refuses Encrypt .*NotFoundException/),
      expect.stringMatching(/does not respond/),
    ])
    expect(messages.join()).not.toContain('another-secret')
  })
})
