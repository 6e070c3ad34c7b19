import { randomUUID } from 'node:crypto'
import { createTestMasterKey } from '../../testing/objects.ts'
import { MasterKeyError, type DataKeyNames, type MasterKey } from '../encryption/masterKey.ts'
import type { EncryptionInTests } from './encryptionInTests.ts'

type Variables = Readonly<Record<string, string>>

/** What every kind of master key does, whoever holds it; `variables` are its settings, once a test runs. */
export function itIsAMasterKey(keys: EncryptionInTests, variables: () => Variables): void {
  for (const [does, test] of Object.entries(table)) it(does, () => test(keys, variables()))
}

const dataKey = Buffer.alloc(32, 7)
const namesOf = ({ organizationId }: EncryptionInTests): DataKeyNames => ({ keyId: randomUUID(), organizationId })
const masterOf = async (keys: EncryptionInTests, variables: Variables): Promise<MasterKey> =>
  (await keys.open(variables)).masters[0] as MasterKey

const table: Readonly<Record<string, (keys: EncryptionInTests, variables: Variables) => Promise<void>>> = {
  'wraps data keys, and is asked once for each after a restart': async (keys, variables) => {
    const sealed = await keys.seal(await keys.open(variables), 'guarded')
    const later = await keys.open(variables)
    const unwrap = jest.spyOn(later.masters[0] as MasterKey, 'unwrap')
    expect(await Promise.all([1, 2].map(() => keys.unseal(later, sealed)))).toEqual(['guarded', 'guarded'])
    // The start has asked, to see whether it may.
    expect(unwrap).not.toHaveBeenCalled()
    const key = await later.add(keys.organizationId, 'next')
    await Promise.all([later.find(key), later.find(key)])
    expect(unwrap).toHaveBeenCalledTimes(1)
  },

  'wraps the same key otherwise each time, and shows nothing of it': async (keys, variables) => {
    const [master, names] = [await masterOf(keys, variables), namesOf(keys)]
    const wrapped = await Promise.all([1, 2, 3].map(() => master.wrap(dataKey, names)))
    expect(new Set(wrapped.map((bytes) => bytes.toString('hex'))).size).toBe(3)
    expect(wrapped.map((bytes) => bytes.includes(dataKey.subarray(0, 8)))).toEqual([false, false, false])
    const opened = await Promise.all(wrapped.map((bytes) => master.unwrap(bytes, names)))
    expect(opened.map((bytes) => bytes.equals(dataKey))).toEqual([true, true, true])
  },

  'opens a data key under its own names alone': async (keys, variables) => {
    const [master, names] = [await masterOf(keys, variables), namesOf(keys)]
    const wrapped = await master.wrap(dataKey, names)
    const others = [
      { ...names, keyId: randomUUID() },
      { ...names, organizationId: randomUUID() },
    ]
    for (const other of others) await expect(master.unwrap(wrapped, other)).rejects.toThrow(MasterKeyError)
  },

  'opens nothing that was changed, cut or made up': async (keys, variables) => {
    const [master, names] = [await masterOf(keys, variables), namesOf(keys)]
    const wrapped = await master.wrap(dataKey, names)
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
    const failures = await Promise.all(
      wrong.map((bytes) => master.unwrap(bytes, names).catch((cause: unknown) => cause)),
    )
    expect(failures.map((failure) => failure instanceof MasterKeyError)).toEqual(wrong.map(() => true))
  },

  'takes over from a key of the settings, and gives back': async (keys, variables) => {
    const [local, own] = [createTestMasterKey(), variables['DMP_ENCRYPTION_KEY']]
    const sealed = await keys.seal(await keys.open({ DMP_ENCRYPTION_KEY: local }), 'moved')
    expect(await (await keys.open({ ...variables, DMP_ENCRYPTION_KEY: `${own} ${local}` })).rewrap()).toBe(1)
    expect(await keys.unseal(await keys.open(variables), sealed)).toBe('moved')
    expect(await (await keys.open({ ...variables, DMP_ENCRYPTION_KEY: `${local} ${own}` })).rewrap()).toBe(1)
    expect(await keys.unseal(await keys.open({ DMP_ENCRYPTION_KEY: local }), sealed)).toBe('moved')
  },

  'is missed by name at a start without it [P21]': async (keys, variables) => {
    const encryption = await keys.open(variables)
    await keys.seal(encryption, 'secret')
    const { id } = encryption.masters[0] as MasterKey
    expect(await keys.refused({})).toContain(`the master key ${id} wraps 1 data key, and no master key is set.`)
  },
}
