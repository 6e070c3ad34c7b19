import { createCipheriv, type Cipheriv } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import type { DiskSpace } from '../../core/diskSpace.ts'
import type { Encryption } from '../../outside/encryption/encryption.ts'

const blockBytes = 16

/**
 * Files of unfinished uploads. With encryption on they are encrypted under a key of their own, byte for byte (AES-CTR),
 * because an upload may stop and go on at any byte. This hides them and does not seal them: the finished object is
 * sealed when it is stored, within a day.
 */
export class UploadFiles extends FileStore {
  readonly #encryption: Encryption
  readonly #disk: DiskSpace

  constructor(
    encryption: Encryption,
    disk: DiskSpace,
    options: { directory: string; expirationPeriodInMilliseconds: number },
  ) {
    super(options)
    this.#encryption = encryption
    this.#disk = disk
  }

  /** What an upload remembers of its key; nothing while encryption is off. */
  async chooseKey(organizationId: string): Promise<{ keyId?: string }> {
    const dataKey = await this.#encryption.current(organizationId)
    return dataKey ? { keyId: dataKey.id } : {}
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const cipher = await this.#cipher(id, offset)
    const bounded = whileRoom(readable, this.#disk)
    try {
      return await super.write(
        Readable.from(cipher ? through(bounded, cipher) : bounded, { objectMode: false }),
        id,
        offset,
      )
    } catch (error) {
      // The library says only that something went wrong.
      await this.#disk.assertRoom('database', 'objects')
      throw error
    }
  }

  /** The bytes that were uploaded. */
  async readContent(id: string): Promise<AsyncIterable<Uint8Array>> {
    const cipher = await this.#cipher(id, 0)
    const file = createReadStream(join(this.directory, id), { highWaterMark: 2 ** 18 })
    return cipher ? through(file, cipher) : file
  }

  async #cipher(id: string, offset: number): Promise<Cipheriv | undefined> {
    const { metadata } = await this.getUpload(id)
    if (typeof metadata?.keyId !== 'string') return undefined
    const key = (await this.#encryption.find(metadata.keyId)).derive('upload', Buffer.from(id, 'hex'))
    const block = Buffer.alloc(blockBytes)
    block.writeBigUInt64BE(BigInt(Math.floor(offset / blockBytes)), blockBytes / 2)
    const cipher = createCipheriv('aes-256-ctr', key, block)
    cipher.update(Buffer.alloc(offset % blockBytes))
    return cipher
  }
}

async function* through(content: AsyncIterable<Uint8Array>, cipher: Cipheriv): AsyncGenerator<Buffer> {
  for await (const piece of content) yield cipher.update(piece)
}

/** Ends with an error before the disk is full; the bytes until there are kept, and the upload goes on behind them. */
async function* whileRoom(content: AsyncIterable<Uint8Array>, disk: DiskSpace): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    await disk.assertRoom('database', 'objects')
    yield piece
  }
}
