import { createCipheriv, type Cipheriv } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { StoredOutcome } from '@dmp/dicom'
import { findCurrentTurn } from '../../core/asker.ts'
import type { DiskSpace } from '../../core/diskSpace.ts'
import type { Stopping } from '../../core/stopping.ts'
import type { Dependencies } from '../../dependencies.ts'
import { leaving } from '../../http/leaving.ts'
import type { Encryption } from '../../outside/encryption/encryption.ts'
import type { UploadOwner } from './unfinishedUploads.ts'
import type { UploadStore } from './uploads/uploadStore.ts'

const blockBytes = 16

/**
 * Files of unfinished uploads. With encryption on they are encrypted under a key of their own, byte for byte (AES-CTR),
 * because an upload may stop and go on at any byte. This hides them and does not seal them: the finished object is
 * sealed when it is stored, within a day.
 */
export class UploadFiles extends FileStore implements UploadStore {
  readonly #encryption: Encryption
  readonly #disk: DiskSpace
  readonly #arrivals: Dependencies['arrivals']
  readonly #stopping: Stopping

  constructor(
    { encryption, disk, stopping, arrivals }: Pick<Dependencies, 'encryption' | 'disk' | 'stopping' | 'arrivals'>,
    options: { directory: string; expirationPeriodInMilliseconds: number },
  ) {
    super(options)
    this.#encryption = encryption
    this.#disk = disk
    this.#arrivals = arrivals
    this.#stopping = stopping
  }

  async chooseKey(organizationId: string): Promise<{ keyId?: string }> {
    const dataKey = await this.#encryption.current(organizationId)
    return dataKey ? { keyId: dataKey.id } : {}
  }

  async findRecord(id: string): Promise<Upload['metadata']> {
    return (await this.configstore.get(id))?.metadata
  }

  /** An upload whose object is stored is complete, though its bytes are not here any more. */
  override async getUpload(id: string): Promise<Upload> {
    const record = await this.configstore.get(id)
    const isKept = typeof record?.metadata?.outcome === 'string'
    const upload = isKept ? Object.assign(new Upload({ id, offset: 0 }), record) : await super.getUpload(id)
    if (isKept) upload.offset = upload.size ?? 0
    upload.metadata = undefined
    return upload
  }

  async findOutcome(id: string): Promise<StoredOutcome | undefined> {
    const outcome = (await this.findRecord(id))?.outcome
    return typeof outcome === 'string' ? (JSON.parse(outcome) as StoredOutcome) : undefined
  }

  async keepOutcome(id: string, outcome: StoredOutcome): Promise<void> {
    const upload = await this.configstore.get(id)
    // Ended by its owner meanwhile.
    if (!upload) return
    upload.metadata = { ...upload.metadata, outcome: JSON.stringify(outcome) }
    await this.configstore.set(id, upload)
    await rm(join(this.directory, id), { force: true })
  }

  async listOutcomes(): Promise<{ readonly id: string; readonly owner: UploadOwner }[]> {
    const found: { id: string; owner: UploadOwner; at: number }[] = []
    for (const name of await this.#outcomeNames()) {
      const id = name.slice(0, -'.json'.length)
      const { userId, organizationId, outcome } = (await this.findRecord(id)) ?? {}
      const stats = await stat(join(this.directory, name)).catch(() => undefined)
      if (typeof outcome === 'string' && userId && organizationId && stats)
        found.push({ id, owner: { userId, organizationId }, at: stats.mtimeMs })
    }
    return found.toSorted((one, other) => one.at - other.at)
  }

  /** Records whose bytes are gone. */
  async #outcomeNames(): Promise<string[]> {
    const names = new Set(await readdir(this.directory))
    return [...names].filter((name) => name.endsWith('.json') && !names.has(name.slice(0, -'.json'.length)))
  }

  override async remove(id: string): Promise<void> {
    await rm(join(this.directory, id), { force: true })
    await rm(join(this.directory, `${id}.json`), { force: true })
  }

  /** Outcomes are as old as their uploads may become. */
  override async deleteExpired(): Promise<number> {
    for (const name of await this.#outcomeNames()) {
      const { mtimeMs } = await stat(join(this.directory, name)).catch(() => ({ mtimeMs: Infinity }))
      if (Date.now() - mtimeMs > this.getExpiration()) await rm(join(this.directory, name), { force: true })
    }
    return super.deleteExpired()
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    if (await this.findOutcome(id)) {
      readable.resume()
      return offset
    }
    const cipher = await this.#cipher(id, offset)
    const bounded = whileRoom(this.#arrivals.inTurns(findCurrentTurn(), readable), this.#disk)
    const content = Readable.from(cipher ? through(bounded, cipher) : bounded, { objectMode: false })
    const arrivedBytes = await super.write(content, id, offset).catch(async (error: unknown) => {
      // The library says only that something went wrong.
      await this.#disk.assertRoom('database', 'objects')
      throw error
    })
    // The sender asks how much has arrived, and goes on behind that.
    if (this.#stopping.signal.aborted && arrivedBytes !== (await this.configstore.get(id))?.size) throw leaving()
    return arrivedBytes
  }

  async readContent(id: string): Promise<AsyncIterable<Uint8Array>> {
    const cipher = await this.#cipher(id, 0)
    const file = createReadStream(join(this.directory, id), { highWaterMark: 2 ** 18 })
    return cipher ? through(file, cipher) : file
  }

  /** Any stretch of the bytes that were uploaded, for whoever reads a file here and there. */
  async openContent(id: string): Promise<(start: number, end: number) => Readable> {
    const key = await this.#key(id)
    return (start, end) => {
      const file = createReadStream(join(this.directory, id), { start, end: end - 1, highWaterMark: 2 ** 18 })
      return key ? Readable.from(through(file, toCipher(key, start)), { objectMode: false }) : file
    }
  }

  async #cipher(id: string, offset: number): Promise<Cipheriv | undefined> {
    const key = await this.#key(id)
    return key && toCipher(key, offset)
  }

  async #key(id: string): Promise<Buffer | undefined> {
    const metadata = await this.findRecord(id)
    if (typeof metadata?.keyId !== 'string') return undefined
    return (await this.#encryption.find(metadata.keyId)).derive('upload', Buffer.from(id, 'hex'))
  }
}

function toCipher(key: Buffer, offset: number): Cipheriv {
  const block = Buffer.alloc(blockBytes)
  block.writeBigUInt64BE(BigInt(Math.floor(offset / blockBytes)), blockBytes / 2)
  const cipher = createCipheriv('aes-256-ctr', key, block)
  cipher.update(Buffer.alloc(offset % blockBytes))
  return cipher
}

async function* through(content: AsyncIterable<Uint8Array>, cipher: Cipheriv): AsyncGenerator<Buffer> {
  for await (const piece of content) yield cipher.update(piece)
}

/** Ends with an error before the disk is full; the bytes until there are kept, and the upload goes on behind them. */
async function* whileRoom(content: AsyncIterable<Uint8Array>, disk: DiskSpace): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    await disk.assertRoomFor(piece.length)
    yield piece
  }
}
