import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { DataKey } from './encryption/dataKey.ts'
import { chunkBytes, encryptedSize, headerBytes, sealedChunkBytes } from './encryption/objectFormat.ts'
import { ObjectStoreError, type ObjectStore } from './objectStore.ts'
import { encryptedObjectStore } from './objectStoreEncrypted.ts'
import { folderObjectStore } from './objectStoreFolder.ts'

let root: string
let store: ObjectStore
const organizationId = randomUUID()
const dataKey = new DataKey(randomUUID(), organizationId, randomBytes(32))
const find = async (keyId: string): Promise<DataKey> => {
  if (keyId !== dataKey.id) throw new ObjectStoreError('LOCKED')
  return dataKey
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-encrypted-'))
  store = encryptedObjectStore(folderObjectStore(root), { find })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const fileOf = (key: string): string => join(root, 'objects', key)
async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
async function put(bytes: Buffer, pieceBytes = 10_000): Promise<string> {
  const staged = await store.stage(inPieces(bytes, pieceBytes), { dataKey })
  const key = `scans/${organizationId}/abcd/1.2~${staged.sha256}~${staged.nameEnd}`
  await store.intend([{ staged, key }])
  await store.keep([staged])
  return key
}
const content = async (key: string, range?: { start: number; end: number }): Promise<Buffer> =>
  buffer(await store.read(key, range))
/** What comes of reading a whole object: as a stream, and its last and first bytes at random. */
async function readAllWays(key: string): Promise<string[]> {
  const told = async (read: () => Promise<unknown>): Promise<string> =>
    read().then(
      () => 'served',
      (cause: unknown) => (cause instanceof ObjectStoreError ? cause.fault : String(cause)),
    )
  const openAt = (at: number) => async (): Promise<void> => {
    const object = await store.open(key)
    await object.read(at < 0 ? object.size + at : at, 10).finally(() => object.close())
  }
  return [await told(() => content(key)), await told(openAt(0)), await told(openAt(-10))]
}

describe('an encrypted object', () => {
  it.each([0, 1, 1000, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 3 * chunkBytes + 777, 2_500_000])(
    'of %i bytes reads as what was stored, whole and in every kind of range',
    async (size) => {
      const bytes = randomBytes(size)
      const staged = await store.stage(inPieces(bytes, 70_001), { dataKey })
      expect([staged.size, staged.sha256]).toEqual([size, createHash('sha256').update(bytes).digest('hex')])
      await store.discard([staged])
      const key = await put(bytes)
      expect(readFileSync(fileOf(key)).length).toBe(encryptedSize(size))
      expect((await content(key)).equals(bytes)).toBe(true)
      const opened = await store.open(key)
      expect(opened.size).toBe(size)
      for (const start of [0, 1, chunkBytes - 1, chunkBytes, size - 10, size]) {
        if (start < 0) continue
        for (const length of [1, 10, chunkBytes, 2 * chunkBytes + 3, size]) {
          const expected = bytes.subarray(start, start + length)
          expect((await opened.read(start, length)).equals(expected)).toBe(true)
          if (length > 0) expect((await content(key, { start, end: start + length - 1 })).equals(expected)).toBe(true)
        }
      }
      await opened.close()
    },
  )

  it('does not show its bytes on the disk, neither staged nor kept, and equal objects do not look equal', async () => {
    const bytes = Buffer.from('Tester^Anna '.repeat(20_000))
    const staged = await store.stage(bytes, { dataKey })
    const key = `scans/${organizationId}/abcd/1.2~${staged.sha256}~${staged.nameEnd}`
    await store.intend([{ staged, key }])
    expect(readFileSync(join(root, 'incoming', encodeURIComponent(key))).includes('Anna')).toBe(false)
    await store.keep([staged])
    const [first, second] = [readFileSync(fileOf(key)), readFileSync(fileOf(await put(bytes)))]
    expect([first.includes('Anna'), first.subarray(headerBytes).equals(second.subarray(headerBytes))]).toEqual([
      false,
      false,
    ])
  })

  it('is never staged without a key, nor kept under a key without its name', async () => {
    await expect(store.stage(Buffer.from('x'))).rejects.toThrow(TypeError)
    const staged = await store.stage(Buffer.from('x'), { dataKey })
    await expect(store.intend([{ staged, key: 'scans/a/b/c~d~0123456789ab' }])).rejects.toThrow(TypeError)
    await store.discard([staged])
  })
})

describe('an encrypted object that somebody changed is not served', () => {
  const size = 3 * chunkBytes + 777
  let key: string
  let sealed: Buffer
  beforeEach(async () => {
    key = await put(randomBytes(size))
    sealed = readFileSync(fileOf(key))
    expect(await readAllWays(key)).toEqual(['served', 'served', 'served'])
  })
  const chunkAt = (index: number): number => headerBytes + index * sealedChunkBytes

  it.each([
    ['its header', 5],
    ['the id of its key', 10],
    ['its own id', 30],
    ['the first chunk', headerBytes + 100],
  ])('with one bit of %s flipped', async (_name, at) => {
    sealed[at] = (sealed[at] ?? 0) ^ 1
    writeFileSync(fileOf(key), sealed)
    expect((await readAllWays(key)).slice(0, 2)).not.toContain('served')
  })

  it('with one bit of its last tag flipped: neither whole nor at its end', async () => {
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    writeFileSync(fileOf(key), sealed)
    expect(await readAllWays(key)).toEqual(['DAMAGED', 'served', 'DAMAGED'])
  })

  it('with two of its chunks exchanged', async () => {
    const [first, second] = [0, 1].map((index) => Buffer.from(sealed.subarray(chunkAt(index), chunkAt(index + 1))))
    second?.copy(sealed, chunkAt(0))
    first?.copy(sealed, chunkAt(1))
    writeFileSync(fileOf(key), sealed)
    expect((await readAllWays(key)).slice(0, 2)).toEqual(['DAMAGED', 'DAMAGED'])
  })

  it.each([1, 777 + 16, sealedChunkBytes + 777 + 16, encryptedSize(size)])('shortened by %i bytes', async (bytes) => {
    truncateSync(fileOf(key), encryptedSize(size) - bytes)
    expect(await readAllWays(key)).toEqual(['DAMAGED', 'DAMAGED', 'DAMAGED'])
  })

  it('with bytes added', async () => {
    writeFileSync(fileOf(key), Buffer.concat([sealed, randomBytes(sealedChunkBytes)]))
    expect(await readAllWays(key)).toEqual(['DAMAGED', 'DAMAGED', 'DAMAGED'])
  })

  it('that another object of the same organization and length replaced, whole or by a chunk', async () => {
    const other = await put(randomBytes(size))
    const otherSealed = readFileSync(fileOf(other))
    otherSealed.copy(sealed, chunkAt(1), chunkAt(1), chunkAt(2))
    writeFileSync(fileOf(key), sealed)
    expect((await readAllWays(key))[0]).toBe('DAMAGED')
    copyFileSync(fileOf(other), fileOf(key))
    expect(await readAllWays(key)).toEqual(['DAMAGED', 'DAMAGED', 'DAMAGED'])
  })

  it('that a file in the clear replaced', async () => {
    writeFileSync(fileOf(key), randomBytes(encryptedSize(size)))
    expect(await readAllWays(key)).toEqual(['DAMAGED', 'DAMAGED', 'DAMAGED'])
  })

  it('or whose data key is not there', async () => {
    store = encryptedObjectStore(folderObjectStore(root), {
      find: () => Promise.reject(new ObjectStoreError('LOCKED')),
    })
    expect(await readAllWays(key)).toEqual(['LOCKED', 'LOCKED', 'LOCKED'])
  })
})

it('objects from before encryption stay readable as they are', async () => {
  const clear = folderObjectStore(root)
  const staged = await clear.stage(Buffer.from('from before'))
  const key = `scans/${organizationId}/abcd/1.2~${staged.sha256}~${staged.nameEnd}`
  await clear.intend([{ staged, key }])
  await clear.keep([staged])
  expect([(await content(key)).toString(), (await content(key, { start: 5, end: 10 })).toString()]).toEqual([
    'from before',
    'before',
  ])
})
