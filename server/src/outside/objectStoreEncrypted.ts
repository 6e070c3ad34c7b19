import { createHash, randomBytes, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Encryption } from './encryption/encryption.ts'
import {
  ChunkCipher,
  chunkBytes,
  damaged,
  encryptedSize,
  findChunks,
  formatEncryptedName,
  headerBytes,
  openChunks,
  parseEncryptedName,
  readHeader,
  sealChunks,
  sealedChunkBytes,
  type EncryptedName,
} from './encryption/objectFormat.ts'
import {
  ObjectStoreError,
  type ByteRange,
  type ListedObject,
  type ObjectStore,
  type OpenObject,
  type StagedObject,
  type StageOptions,
} from './objectStore.ts'

type KeyFinder = Pick<Encryption, 'find'>

/** The id of the data key that the row of an object names; undefined without a row. */
export type FindRowKeyId = (key: string) => Promise<string | undefined>

interface Staged extends StagedObject {
  readonly sealed: StagedObject
}

const toSealed = (staged: readonly StagedObject[]): StagedObject[] =>
  (staged as readonly Staged[]).map(({ sealed }) => sealed)

/**
 * Encrypts what goes into another store and decrypts what comes out of it: hashes, lengths and ranges are those of the
 * bytes in the clear. Objects that were in the store before encryption was on stay readable; the key of an object says
 * which it is, so that a file in the clear never passes for an encrypted one.
 */
class EncryptedObjectStore implements ObjectStore {
  readonly isArchive = false
  readonly canRemove: boolean
  readonly #store: ObjectStore
  readonly #keys: KeyFinder
  readonly #findRowKeyId: FindRowKeyId

  constructor(store: ObjectStore, keys: KeyFinder, findRowKeyId: FindRowKeyId) {
    this.#store = store
    this.#keys = keys
    this.#findRowKeyId = findRowKeyId
    this.canRemove = store.canRemove
  }

  async stage(
    content: AsyncIterable<Uint8Array> | Uint8Array,
    { maxBytes = Infinity, dataKey, ...how }: StageOptions = {},
  ): Promise<StagedObject> {
    if (!dataKey) throw new TypeError('Encryption is on: an object is staged with the data key of its organization.')
    const id = randomBytes(16).toString('hex')
    const measured = new Measured(content instanceof Uint8Array ? [content] : content, maxBytes)
    const sealed = await this.#store.stage(sealChunks(measured, dataKey, id), how)
    const { sha256, size } = measured.result()
    const name = { id, size }
    const staged: Staged = {
      sealed,
      sha256,
      size,
      nameHash: dataKey.hashName(sha256),
      nameEnd: [sealed.place, formatEncryptedName(name)].filter(Boolean).join('~'),
      get key() {
        return sealed.key
      },
      open: async () => openEncrypted(await sealed.open(), name, async () => new ChunkCipher(dataKey, id)),
    }
    return staged
  }

  async intend(intentions: ReadonlyArray<{ staged: StagedObject; key: string }>): Promise<void> {
    await this.#store.intend(
      (intentions as ReadonlyArray<{ staged: Staged; key: string }>).map(({ staged, key }) => {
        if (!key.endsWith(`~${staged.nameEnd}`)) throw new TypeError('The key of an object ends with its own name.')
        return { staged: staged.sealed, key }
      }),
    )
  }

  keep(staged: readonly StagedObject[]): Promise<void> {
    return this.#store.keep(toSealed(staged))
  }

  discard(staged: readonly StagedObject[]): Promise<void> {
    return this.#store.discard(toSealed(staged))
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const name = parseEncryptedName(key)
    if (!name) return this.#store.read(key, range)
    const end = Math.min(range ? range.end + 1 : Infinity, name.size)
    const start = Math.min(range?.start ?? 0, end)
    if (range && start === end) return Readable.from([])
    const chunks = findChunks(name.size, start, end)
    // An object is read from its header on with one request; only a range in its middle needs a second one.
    const isFromStart = chunks.first === 0
    const sealed = await this.#store.read(
      key,
      range && { start: isFromStart ? 0 : chunks.start, end: chunks.isToEnd ? encryptedSize(name.size) : chunks.end },
    )
    const header = isFromStart
      ? undefined
      : await this.#readHeader(key).catch((cause: unknown) => {
          sealed.destroy()
          throw cause
        })
    const opened = async function* (this: EncryptedObjectStore): AsyncGenerator<Buffer> {
      const pieces = sealed[Symbol.asyncIterator]() as AsyncIterator<Buffer>
      const [head, rest] = header ? [header, Buffer.alloc(0)] : await takeHeader(pieces)
      const cipher = await this.#cipher(key, head, name)
      yield* openChunks(follow(rest, pieces), cipher, chunks)
    }.call(this)
    const offset = start - chunks.first * chunkBytes
    return toReadable(sealed, cut(opened, offset, end - start))
  }

  async #readHeader(key: string): Promise<Buffer> {
    return readAll(await this.#store.read(key, { start: 0, end: headerBytes - 1 }))
  }

  async open(key: string): Promise<OpenObject> {
    const name = parseEncryptedName(key)
    const object = await this.#store.open(key)
    return name ? openEncrypted(object, name, (header) => this.#cipher(key, header, name)) : object
  }

  async #cipher(key: string, header: Buffer, name: EncryptedName): Promise<ChunkCipher> {
    const keyId = readHeader(header, name)
    try {
      return new ChunkCipher(await this.#keys.find(keyId), name.id)
    } catch (cause) {
      if (!(cause instanceof ObjectStoreError) || cause.fault !== 'LOCKED') throw cause
      // A key that the server does not have, or a changed header: the row knows.
      throw [undefined, keyId].includes(await this.#findRowKeyId(key)) ? cause : damaged(name.id)
    }
  }

  async holds(key: string, size: number): Promise<boolean> {
    const name = parseEncryptedName(key)
    return this.#store.holds(key, name ? encryptedSize(size) : size)
  }

  remove(keys: readonly string[]): Promise<void> {
    return this.#store.remove(keys)
  }

  recover: ObjectStore['recover'] = (areKept, olderThanMs) => this.#store.recover(areKept, olderThanMs)

  compact = (all?: boolean): Promise<{ moved: number; left: number }> => this.#store.compact(all)

  list = (): AsyncIterable<ListedObject> => this.#store.list()

  ready = (): Promise<void> => this.#store.ready()

  close = (): Promise<void> => this.#store.close()
}

/** Counts and hashes the bytes in the clear as they pass. */
class Measured implements AsyncIterable<Uint8Array> {
  readonly #content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly #maxBytes: number
  readonly #hash: Hash = createHash('sha256')
  #size = 0

  constructor(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number) {
    this.#content = content
    this.#maxBytes = maxBytes
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#content) {
      this.#size += piece.length
      if (this.#size > this.#maxBytes) throw new ObjectStoreError('TOO_LARGE')
      this.#hash.update(piece)
      yield piece
    }
  }

  result(): { sha256: string; size: number } {
    return { sha256: this.#hash.digest('hex'), size: this.#size }
  }
}

/** Random access: reads the chunks of a range, and keeps the last one, because headers are read in small steps. */
async function openEncrypted(
  object: OpenObject,
  name: EncryptedName,
  findCipher: (header: Buffer) => Promise<ChunkCipher>,
): Promise<OpenObject> {
  try {
    if (object.size !== encryptedSize(name.size)) throw damaged(name.id)
    const cipher = await findCipher(await object.read(0, headerBytes))
    const { size } = name
    let kept: { index: number; chunk: Buffer } | undefined
    const read = async (offset: number, length: number): Promise<Buffer> => {
      const end = Math.min(offset + length, size)
      if (end <= offset) return Buffer.alloc(0)
      const { first, last, isToEnd, start, end: lastByte } = findChunks(size, offset, end)
      const within = offset - first * chunkBytes
      if (first === last && kept?.index === first) return kept.chunk.subarray(within, within + end - offset)
      const sealed = await object.read(start, lastByte - start + 1)
      const chunks = Array.from({ length: last - first + 1 }, (_, step) =>
        cipher.open(
          first + step,
          isToEnd && first + step === last,
          sealed.subarray(step * sealedChunkBytes, (step + 1) * sealedChunkBytes),
        ),
      )
      kept = { index: last, chunk: chunks.at(-1) ?? Buffer.alloc(0) }
      const clear = chunks.length === 1 ? kept.chunk : Buffer.concat(chunks)
      return clear.subarray(within, within + end - offset)
    }
    return { size, read, close: () => object.close() }
  } catch (cause) {
    await object.close()
    throw cause
  }
}

async function takeHeader(pieces: AsyncIterator<Buffer>): Promise<[header: Buffer, rest: Buffer]> {
  let bytes: Buffer = Buffer.alloc(0)
  while (bytes.length < headerBytes) {
    const next = await pieces.next()
    if (next.done) break
    bytes = Buffer.concat([bytes, next.value])
  }
  return [bytes.subarray(0, headerBytes), bytes.subarray(headerBytes)]
}

async function* follow(rest: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (rest.length > 0) yield rest
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

/** So many bytes from the offset on; what follows is read to its end, because its end shows that nothing is missing. */
async function* cut(chunks: AsyncIterable<Buffer>, offset: number, length: number): AsyncGenerator<Buffer> {
  let skip = offset
  let left = length
  for await (const chunk of chunks) {
    const wanted = chunk.subarray(skip, skip + left)
    skip = Math.max(0, skip - chunk.length)
    left -= wanted.length
    if (wanted.length > 0) yield wanted
  }
}

/** Waits for the first chunk, so that a damaged object fails before the first byte. */
async function toReadable(source: Readable, chunks: AsyncGenerator<Buffer>): Promise<Readable> {
  let pending: Promise<IteratorResult<Buffer>> | undefined
  try {
    pending = Promise.resolve(await chunks.next())
  } catch (cause) {
    source.destroy()
    throw cause
  }
  return new Readable({
    highWaterMark: 2 * chunkBytes,
    read() {
      const next = pending ?? chunks.next()
      pending = undefined
      next.then(
        ({ done, value }) => this.push(done === true ? null : value),
        (cause: Error) => this.destroy(cause),
      )
    },
    destroy(error, done) {
      source.destroy()
      done(error)
    },
  })
}

async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** Encrypts what goes into `store`. */
export const encryptedObjectStore = (
  store: ObjectStore,
  keys: KeyFinder,
  findRowKeyId: FindRowKeyId = async () => undefined,
): ObjectStore => new EncryptedObjectStore(store, keys, findRowKeyId)
