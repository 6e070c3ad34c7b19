import { randomUUID } from 'node:crypto'
import { createTestMasterKey } from '../../testing/objects.ts'
import { MasterKeyError, type MasterKey } from '../encryption/masterKey.ts'
import type { EncryptionInTests } from './encryptionInTests.ts'

/** What every kind of master key does, whoever holds it; `variables` are its settings, once a test runs. */
export function itIsAMasterKey(keys: EncryptionInTests, variables: () => Readonly<Record<string, string>>): void {
  const local = createTestMasterKey()
  const along = (more: string): Record<string, string> => ({
    ...variables(),
    DMP_ENCRYPTION_KEY: more.replace('it', variables()['DMP_ENCRYPTION_KEY'] ?? ''),
  })
  const names = () => ({ keyId: randomUUID(), organizationId: keys.organizationId })
  const first = async (): Promise<MasterKey> => (await keys.open(variables())).masters[0] as MasterKey

  it('wraps data keys, and is asked once for each after a restart', async () => {
    const sealed = await keys.seal(await keys.open(variables()), 'guarded')
    const later = await keys.open(variables())
    const unwrap = jest.spyOn(later.masters[0] as MasterKey, 'unwrap')
    expect(await Promise.all([1, 2, 3].map(() => keys.unseal(later, sealed)))).toEqual([
      'guarded',
      'guarded',
      'guarded',
    ])
    // The start has asked, to see whether it may.
    expect(unwrap).not.toHaveBeenCalled()
    const key = await later.add(keys.organizationId, 'next')
    await Promise.all([later.find(key), later.find(key)])
    expect(unwrap).toHaveBeenCalledTimes(1)
  })

  it('wraps the same key otherwise each time, and shows nothing of it', async () => {
    const master = await first()
    const [dataKey, same] = [Buffer.alloc(32, 7), names()]
    const wrapped = await Promise.all([1, 2, 3].map(() => master.wrap(dataKey, same)))
    expect(new Set(wrapped.map((bytes) => bytes.toString('hex'))).size).toBe(3)
    for (const bytes of wrapped) {
      expect(bytes.includes(dataKey.subarray(0, 4))).toBe(false)
      expect((await master.unwrap(bytes, same)).equals(dataKey)).toBe(true)
    }
  })

  it('opens a data key under its own names alone', async () => {
    const master = await first()
    const own = names()
    const wrapped = await master.wrap(Buffer.alloc(32, 7), own)
    for (const other of [
      { ...own, keyId: randomUUID() },
      { ...own, organizationId: randomUUID() },
    ])
      await expect(master.unwrap(wrapped, other)).rejects.toThrow(MasterKeyError)
  })

  it('opens nothing that was changed, cut or made up', async () => {
    const master = await first()
    const own = names()
    const wrapped = await master.wrap(Buffer.alloc(32, 7), own)
    const places = [0, 1, 2, Math.floor(wrapped.length / 2), wrapped.length - 1]
    const wrong = [
      ...places.map((place) => wrapped.map((byte, at) => (at === place ? byte ^ 1 : byte))),
      wrapped.subarray(0, 40),
      wrapped.subarray(0, -1),
      Buffer.concat([wrapped, Buffer.of(0)]),
      Buffer.alloc(0),
      Buffer.of(1),
      Buffer.alloc(120, 255),
    ]
    const failures = await Promise.all(wrong.map((bytes) => master.unwrap(bytes, own).catch((cause: unknown) => cause)))
    expect(failures.map((failure) => failure instanceof MasterKeyError)).toEqual(wrong.map(() => true))
  })

  it('takes over from a key of the settings, and gives back', async () => {
    const sealed = await keys.seal(await keys.open({ DMP_ENCRYPTION_KEY: local }), 'moved')
    expect(await (await keys.open(along(`it ${local}`))).rewrap()).toBe(1)
    expect(await keys.unseal(await keys.open(variables()), sealed)).toBe('moved')
    expect(await (await keys.open(along(`${local} it`))).rewrap()).toBe(1)
    expect(await keys.unseal(await keys.open({ DMP_ENCRYPTION_KEY: local }), sealed)).toBe('moved')
  })

  it('is missed by name at a start without it [P21]', async () => {
    const encryption = await keys.open(variables())
    await keys.seal(encryption, 'secret')
    const { id } = encryption.masters[0] as MasterKey
    expect(await keys.refused({})).toContain(`the master key ${id} wraps 1 data key, and no master key is set.`)
  })
}
