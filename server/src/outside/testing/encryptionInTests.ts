import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartFailure } from '../../core/StartFailure.ts'
import { openDatabase, type Database } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'
import { createWriter } from '../../db/write.ts'
import { readKeys } from '../../identity/keys.ts'
import { readSettings } from '../../settings/settings.ts'
import { openEncryption, type Encryption } from '../encryption/encryption.ts'

/** Encryption on a database of its own; each test begins with an organization that has no key. */
export class EncryptionInTests {
  #database: Database | undefined
  organizationId = ''
  folder = ''

  /** Call it where tests are described. */
  static create(): EncryptionInTests {
    const own = new EncryptionInTests()
    beforeAll(() => own.#begin())
    beforeEach(() => own.#forget())
    afterAll(async () => {
      await own.#database?.close()
      rmSync(own.folder, { recursive: true, force: true })
    })
    return own
  }

  async #begin(): Promise<void> {
    this.folder = mkdtempSync(join(tmpdir(), 'dmp-keys-'))
    this.#database = await openDatabase({ kind: 'memory' })
    await migrate(this.db)
  }

  async #forget(): Promise<void> {
    const id = (this.organizationId = randomUUID())
    await this.db.deleteFrom('organization_keys').execute()
    await this.db
      .insertInto('organizations')
      .values({ id, name: id, region_id: null, status_by: 'System', datastore_id: null })
      .execute()
  }

  get db(): Database['db'] {
    if (!this.#database) throw new Error('there is no database before the first test')
    return this.#database.db
  }

  async open(variables: Readonly<Record<string, string>>): Promise<Encryption> {
    const settings = readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: this.folder, ...variables })
    return openEncryption(settings, this.db, createWriter(this.db, (await readKeys(settings)).audit))
  }

  /** The sentence with which a start ends. */
  async refused(variables: Readonly<Record<string, string>>): Promise<string> {
    const failure: unknown = await this.open(variables).catch((cause: unknown) => cause)
    expect(failure).toBeInstanceOf(StartFailure)
    return (failure as StartFailure).message
  }

  place(): readonly ['header', string, string] {
    return ['header', this.organizationId, '1.2.3']
  }

  async seal(encryption: Encryption, value: string): Promise<Uint8Array> {
    return (await encryption.current(this.organizationId))?.seal(this.place(), Buffer.from(value)) ?? Buffer.from('')
  }

  async unseal(encryption: Encryption, sealed: Uint8Array): Promise<string> {
    return Buffer.from(await encryption.unseal(this.place(), sealed, null)).toString()
  }
}
