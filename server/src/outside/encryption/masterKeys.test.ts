import { createTestMasterKey } from '../../testing/objects.ts'
import { EncryptionInTests } from '../testing/encryptionInTests.ts'
import { FakeKms } from '../testing/FakeKms.ts'
import { startFakeKmip, type KmipInTests } from '../testing/kmipInTests.ts'
import { itIsAMasterKey } from '../testing/masterKeyTable.ts'

const keys = EncryptionInTests.create()

describe('a master key of the settings', () => {
  const DMP_ENCRYPTION_KEY = createTestMasterKey()
  itIsAMasterKey(keys, () => ({ DMP_ENCRYPTION_KEY }))
})

describe('a master key in a service with the interface of AWS KMS [P44]', () => {
  let kms: FakeKms
  let variables: Record<string, string>
  beforeAll(async () => {
    kms = new FakeKms()
    variables = {
      DMP_ENCRYPTION_KEY: 'kms:alias/dmp',
      DMP_KMS_ENDPOINT: await kms.listen(),
      DMP_KMS_REGION: 'eu-central-1',
      DMP_KMS_ACCESS_KEY_ID: FakeKms.access.accessKeyId,
      DMP_KMS_SECRET_ACCESS_KEY: FakeKms.access.secretAccessKey,
    }
  })
  afterAll(() => kms.close())

  itIsAMasterKey(keys, () => variables)
  it('wraps each data key in the context of its organization', async () => {
    await keys.seal(await keys.open(variables), 'guarded')
    const [row] = await keys.db.selectFrom('organization_keys').selectAll().execute()
    kms.calls.length = 0
    await keys.open(variables)
    expect([row?.master, kms.calls]).toEqual([
      'kms:alias/dmp',
      [{ action: 'Decrypt', context: { dataKey: row?.id, organization: keys.organizationId } }],
    ])
  })

  it('ends the start with a sentence when it refuses or does not respond', async () => {
    const wrongSecret = { ...variables, DMP_KMS_SECRET_ACCESS_KEY: 'another-secret' }
    const messages = [
      await keys.refused(wrongSecret),
      await keys.refused({ ...variables, DMP_ENCRYPTION_KEY: 'kms:alias/other' }),
      await keys.refused({ ...variables, DMP_KMS_ENDPOINT: 'http://127.0.0.1:9/' }),
    ]
    expect(messages).toEqual([
      expect.stringMatching(/refuses Encrypt .*InvalidSignatureException/),
      expect.stringMatching(/refuses Encrypt .*NotFoundException/),
      expect.stringMatching(/does not respond/),
    ])
    expect(messages.join()).not.toContain('another-secret')
  })
})

describe('a master key in a service that speaks KMIP [P44]', () => {
  let kmip: KmipInTests
  beforeAll(async () => {
    kmip = await startFakeKmip()
  })
  afterAll(() => kmip.close())

  itIsAMasterKey(keys, () => kmip.variables)
})

describe('a master key in a KMIP service that looks at no names and no tag [P44]', () => {
  let kmip: KmipInTests
  beforeAll(async () => {
    kmip = await startFakeKmip()
    kmip.service.isCareless = true
  })
  afterAll(() => kmip.close())

  itIsAMasterKey(keys, () => kmip.variables)
})
