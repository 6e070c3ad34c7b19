import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { BoundedMap } from '../../core/BoundedMap.ts'
import { StartFailure } from '../../core/StartFailure.ts'
import type { Db } from '../../db/client.ts'
import type { Writer } from '../../db/write.ts'
import type { Settings } from '../../settings/settings.ts'
import { ObjectStoreError } from '../objectStore.ts'
import { damagedValue, DataKey, keyIdOf, type ValuePlace } from './dataKey.ts'
import { MasterKeyError, type DataKeyNames, type MasterKey } from './masterKey.ts'
import { readMasterKeys } from './readMasterKeys.ts'

/** So long a server may go on with a key that another process has replaced. */
const currentKeyMs = 60_000
/** Data keys in memory; another one is read and unwrapped again. */
const mostKeys = 5000
const request = { id: 'encryption', ip: 'this server' } as const

/**
 * Encryption at rest: one data key per organization encrypts, and master keys from outside wrap the data keys. Off
 * without a master key; then everything is in the clear.
 */
export class Encryption {
  readonly #db: Db
  readonly #write: Writer
  /** The first wraps, all unwrap. */
  readonly masters: readonly MasterKey[]
  readonly #keys = new BoundedMap<string, Promise<DataKey>>(mostKeys)
  readonly #current = new BoundedMap<string, { key: Promise<DataKey>; until: number }>(mostKeys)

  constructor(db: Db, masters: readonly MasterKey[], write: Writer) {
    this.#db = db
    this.#write = write
    this.masters = masters
  }

  get isOn(): boolean {
    return this.masters.length > 0
  }

  /** The key for what is new of an organization, made at its first use; undefined while encryption is off. */
  current(organizationId: string): Promise<DataKey | undefined> {
    const [master] = this.masters
    if (!master) return Promise.resolve(undefined)
    const known = this.#current.get(organizationId)
    if (known && known.until > performance.now()) return known.key
    const key = this.#findCurrent(organizationId).then((keyId) => keyId ?? this.add(organizationId, 'first'))
    const found = key.then((keyId) => this.find(keyId))
    this.#current.set(organizationId, { key: found, until: performance.now() + currentKeyMs })
    found.catch(() => this.#current.delete(organizationId))
    return found
  }

  async #findCurrent(organizationId: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('organization_keys')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('retired_date', 'is', null)
      .executeTakeFirst()
    return row?.id
  }

  /** A data key by its id, also a retired one. */
  find(keyId: string): Promise<DataKey> {
    const known = this.#keys.get(keyId)
    if (known) return known
    const key = this.#unwrap(keyId)
    this.#keys.set(keyId, key)
    key.catch(() => this.#keys.delete(keyId))
    return key
  }

  async #unwrap(keyId: string): Promise<DataKey> {
    const row = await this.#db.selectFrom('organization_keys').selectAll().where('id', '=', keyId).executeTakeFirst()
    const master = this.masters.find(({ id }) => id === row?.master)
    if (!row || !master) throw new ObjectStoreError('LOCKED')
    const names = { keyId, organizationId: row.organization_id }
    return new DataKey(keyId, row.organization_id, await unwrap(master, row.wrapped, names))
  }

  /**
   * Adds a data key and returns the id of the organization's current one: of two servers that add the `first` at the
   * same time, one wins. A `next` one replaces the current one.
   */
  async add(organizationId: string, kind: 'first' | 'next'): Promise<string> {
    const [master] = this.masters
    if (!master) throw new ObjectStoreError('LOCKED')
    const keyId = randomUUID()
    const wrapped = await wrap(master, randomBytes(32), { keyId, organizationId })
    const current = await this.#write({ viewer: null, request }, async ({ trx, audit }) => {
      if (kind === 'next')
        await trx
          .updateTable('organization_keys')
          .set({ retired_date: new Date() })
          .where('organization_id', '=', organizationId)
          .where('retired_date', 'is', null)
          .execute()
      await trx
        .insertInto('organization_keys')
        .values({ id: keyId, organization_id: organizationId, wrapped, master: master.id, retired_date: null })
        .execute()
      await audit({ event: 'EncryptionKeyAdded', organizationId, subject: { keyId, master: master.id, kind } })
      return keyId
    }).catch(async (cause: unknown) => {
      const winner = kind === 'first' ? await this.#findCurrent(organizationId) : undefined
      if (winner === undefined) throw cause
      return winner
    })
    this.#current.delete(organizationId)
    return current
  }

  /** Wraps every data key with the first master key that another one wrapped; returns how many. No object changes. */
  async rewrap(): Promise<number> {
    const [master] = this.masters
    if (!master) return 0
    const rows = await this.#db.selectFrom('organization_keys').selectAll().where('master', '!=', master.id).execute()
    for (const row of rows) {
      const names = { keyId: row.id, organizationId: row.organization_id }
      const previous = this.masters.find(({ id }) => id === row.master)
      if (!previous) throw new ObjectStoreError('LOCKED')
      const wrapped = await wrap(master, await unwrap(previous, row.wrapped, names), names)
      await this.#write({ viewer: null, request }, async ({ trx, audit }) => {
        await trx
          .updateTable('organization_keys')
          .set({ wrapped, master: master.id })
          .where('id', '=', row.id)
          .execute()
        await audit({
          event: 'EncryptionKeysRewrapped',
          organizationId: row.organization_id,
          subject: { keyId: row.id, from: row.master, to: master.id },
        })
      })
    }
    return rows.length
  }

  /**
   * A value as it was before it was sealed. Where its row says which key sealed it, a value in the clear or under
   * another key was put there by somebody else; where the row names none, a value in the clear is returned as it is.
   */
  async unseal(place: ValuePlace, value: Uint8Array, rowKeyId: string | null): Promise<Uint8Array> {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length)
    const keyId = keyIdOf(bytes)
    if (rowKeyId !== null && keyId !== rowKeyId) throw damagedValue(place)
    return keyId === undefined ? value : (await this.find(keyId)).unseal(place, bytes)
  }
}

const wrap = (master: MasterKey, dataKey: Buffer, names: DataKeyNames): Promise<Buffer> =>
  answered(() => master.wrap(dataKey, names))
const unwrap = (master: MasterKey, wrapped: Uint8Array, names: DataKeyNames): Promise<Buffer> =>
  answered(() => master.unwrap(wrapped, names))

async function answered(act: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await act()
  } catch (cause) {
    throw cause instanceof MasterKeyError ? new ObjectStoreError('UNAVAILABLE', cause) : cause
  }
}

/**
 * Encryption as the settings say. A master key that is missing, wrong or does not respond ends the start with a
 * sentence, so that nothing is ever written in the clear by mistake.
 */
export async function openEncryption(settings: Settings, db: Db, write: Writer): Promise<Encryption> {
  const masters = readMasterKeys(settings)
  const { rows } = await sql<{ master: string; keys: number; example: string }>`
    select master, count(*)::int as keys, min(id::text) as example from organization_keys group by master`.execute(db)
  const names = masters.map(({ id }) => id)
  for (const { master, keys } of rows)
    if (!names.includes(master))
      throw new StartFailure(
        [
          `Scans of this installation are encrypted: the master key ${master} wraps ${keys} data key${keys === 1 ? '' : 's'},`,
          names.length === 0 ? 'and no master key is set.' : `and the settings name only ${names.join(', ')}.`,
          'Without it these scans cannot be read.',
          'Add it to DMP_ENCRYPTION_KEY or to the file of DMP_ENCRYPTION_KEY_FILE.',
        ].join(' '),
      )
  const encryption = new Encryption(db, masters, write)
  try {
    for (const { example } of rows) await encryption.find(example)
    const [first] = masters
    if (first && !rows.some(({ master }) => master === first.id)) await tryMasterKey(first)
  } catch (cause) {
    const reason = cause instanceof ObjectStoreError ? cause.cause : cause
    throw reason instanceof MasterKeyError ? new StartFailure(reason.message) : cause
  }
  return encryption
}

async function tryMasterKey(master: MasterKey): Promise<void> {
  const names = { keyId: randomUUID(), organizationId: randomUUID() }
  await master.unwrap(await master.wrap(randomBytes(32), names), names)
}
