import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestMasterKey } from '../../testing/objects.ts'
import { EncryptionInTests } from '../testing/encryptionInTests.ts'

const keys = EncryptionInTests.create()

describe('data keys', () => {
  it('are made once, also by two servers at a time, and open what they sealed after a restart', async () => {
    const DMP_ENCRYPTION_KEY = createTestMasterKey()
    const [first, second] = [await keys.open({ DMP_ENCRYPTION_KEY }), await keys.open({ DMP_ENCRYPTION_KEY })]
    const sealed = await Promise.all([keys.seal(first, 'one'), keys.seal(second, 'two')])
    expect(await keys.db.selectFrom('organization_keys').select('id').execute()).toHaveLength(1)
    const later = await keys.open({ DMP_ENCRYPTION_KEY })
    expect(await Promise.all(sealed.map((value) => keys.unseal(later, value)))).toEqual(['one', 'two'])
    expect(await keys.unseal(later, Buffer.from('in the clear'))).toBe('in the clear')
  })

  it('open a value in its own place only', async () => {
    const encryption = await keys.open({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
    const sealed = await keys.seal(encryption, 'one')
    for (const other of [
      ['header', keys.organizationId, '1.2.4'],
      ['header', randomUUID(), '1.2.3'],
      ['thumbnail', keys.organizationId, '1.2.3'],
    ] as const)
      await expect(encryption.unseal(other, sealed, null)).rejects.toMatchObject({ fault: 'DAMAGED' })
  })

  it('rotate: a new one seals what is new, the retired one still opens', async () => {
    const encryption = await keys.open({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
    const sealed = await keys.seal(encryption, 'before')
    const keyId = await encryption.add(keys.organizationId, 'next')
    expect((await encryption.current(keys.organizationId))?.id).toBe(keyId)
    expect([
      await keys.unseal(encryption, sealed),
      await keys.unseal(encryption, await keys.seal(encryption, 'after')),
    ]).toEqual(['before', 'after'])
  })

  it('move to another master key without another change, each recorded', async () => {
    const [old, next] = [createTestMasterKey(), createTestMasterKey()]
    const sealed = await keys.seal(await keys.open({ DMP_ENCRYPTION_KEY: old }), 'kept')
    const both = await keys.open({ DMP_ENCRYPTION_KEY: `${next} ${old}` })
    expect([await both.rewrap(), await both.rewrap()]).toEqual([1, 0])
    expect(await keys.unseal(await keys.open({ DMP_ENCRYPTION_KEY: next }), sealed)).toBe('kept')
    expect(await keys.refused({ DMP_ENCRYPTION_KEY: old })).toMatch(
      /wraps 1 data key, and the settings name only local:/,
    )
    const events = await keys.db
      .selectFrom('audit')
      .select('event')
      .where('organization_id', '=', keys.organizationId)
      .orderBy('position')
      .execute()
    expect(events.map(({ event }) => event)).toEqual(['EncryptionKeyAdded', 'EncryptionKeysRewrapped'])
  })
})

describe('a start with the wrong keys ends with a sentence [P21, P23]', () => {
  it('when none is set although something is encrypted', async () => {
    await keys.seal(await keys.open({ DMP_ENCRYPTION_KEY: createTestMasterKey() }), 'secret')
    expect(await keys.refused({})).toMatch(/^Scans of this installation are encrypted: .* no master key is set\./)
  })

  it('when a wrapped key was changed', async () => {
    const DMP_ENCRYPTION_KEY = createTestMasterKey()
    await keys.seal(await keys.open({ DMP_ENCRYPTION_KEY }), 'secret')
    await keys.db
      .updateTable('organization_keys')
      .set({ wrapped: randomBytes(60) })
      .execute()
    expect(await keys.refused({ DMP_ENCRYPTION_KEY })).toMatch(/does not open with the master key/)
  })

  it.each([
    ['too short', { DMP_ENCRYPTION_KEY: 'c2VjcmV0' }, /neither 32 bytes in base64 nor kms:/],
    ['an empty name', { DMP_ENCRYPTION_KEY: 'kmip:' }, /neither 32 bytes in base64 nor kms: or kmip: and a key/],
    ['a missing file', { DMP_ENCRYPTION_KEY_FILE: '/nowhere/key' }, /cannot be read \(ENOENT\)/],
    ['a service without access', { DMP_ENCRYPTION_KEY: 'kms:alias/dmp' }, /DMP_KMS_ACCESS_KEY_ID/],
    ['a KMIP service without access', { DMP_ENCRYPTION_KEY: 'kmip:1' }, /DMP_KMIP_ADDRESS, DMP_KMIP_CERTIFICATE_FILE/],
  ])('when a key is %s', async (_name, variables, sentence) => {
    const message = await keys.refused(variables)
    expect(message).toMatch(sentence)
    expect(message).not.toContain('c2VjcmV0')
  })

  it('but a file of keys with comments is read, the first wrapping', async () => {
    const file = join(keys.folder, 'keys')
    const [first, second] = [createTestMasterKey(), createTestMasterKey()]
    writeFileSync(file, `# of 2026\n${first}\n${second}\n`)
    const { masters } = await keys.open({ DMP_ENCRYPTION_KEY_FILE: file })
    expect(masters.map(({ id }) => id)).toEqual(
      (await keys.open({ DMP_ENCRYPTION_KEY: `${first} ${second}` })).masters.map(({ id }) => id),
    )
    writeFileSync(file, '# nothing\n')
    expect(await keys.refused({ DMP_ENCRYPTION_KEY_FILE: file })).toContain('holds no key')
  })
})
