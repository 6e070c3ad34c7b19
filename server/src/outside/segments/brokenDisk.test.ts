import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '../objectStore.ts'
import { segmentObjectStore } from '../objectStoreSegments.ts'
import { createSegmentFile, type SegmentFile } from './segmentFile.ts'

/** A disk between the store and its file that fails when it is told to, and knows what is safe. */
class BrokenDisk {
  fails: 'nothing' | 'sync' | 'write' = 'nothing'
  syncs = 0
  /** Bytes of each segment that a loss of power leaves for certain. */
  readonly safe = new Map<string, number>()

  readonly createFile = async (path: string): Promise<SegmentFile> => {
    const file = await createSegmentFile(path)
    let written = 0
    return {
      write: async (pieces, position) => {
        const all = Buffer.concat(pieces)
        // Half of it, as a disk that is full.
        const part = this.fails === 'write' ? all.subarray(0, all.length / 2) : all
        await file.write([part], position)
        if (this.fails === 'write') throw Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'write' })
        written = position + all.length
      },
      sync: async () => {
        this.syncs += 1
        const before = written
        if (this.fails === 'sync') throw Object.assign(new Error('lost'), { code: 'EIO', syscall: 'fdatasync' })
        await file.sync()
        this.safe.set(path, before)
      },
      close: () => file.close(),
    }
  }
}

let root: string
let disk: BrokenDisk
let store: ObjectStore
const kept = new Map<string, Buffer>()

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-broken-'))
  disk = new BrokenDisk()
  store = segmentObjectStore(root, { appends: true, createFile: disk.createFile })
  kept.clear()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const segments = (): string[] => readdirSync(join(root, 'segments')).filter((name) => name.endsWith('.seg'))
const bytesOf = (name: string, length = 3000): Buffer => Buffer.from(`${name} `.repeat(length).slice(0, length))

/** As an upload does: answered when this resolves. */
async function put(name: string, length?: number): Promise<string> {
  const bytes = bytesOf(name, length)
  const staged = await store.stage(bytes)
  const key = `scans/${name}~${staged.nameEnd}`
  try {
    await store.intend([{ staged, key }])
  } catch (cause) {
    await store.discard([staged])
    throw cause
  }
  await store.keep([staged])
  kept.set(key, bytes)
  return key
}
async function readAll(from: ObjectStore): Promise<void> {
  for (const [key, bytes] of kept)
    expect([key, (await buffer(await from.read(key))).equals(bytes)]).toEqual([key, true])
}

describe('a disk that fails under a segment [P20, P98]', () => {
  it('fails all who waited for the same sync, acknowledges none of them, and is not asked again', async () => {
    await put('before')
    disk.fails = 'sync'
    const { syncs } = disk
    const lost = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => put(name)))
    expect(lost.map((one) => one.status === 'rejected' && (one.reason as { fault?: string }).fault)).toEqual(
      Array(4).fill('UNAVAILABLE'),
    )
    expect(disk.syncs - syncs).toBe(1)
    disk.fails = 'nothing'
    await put('after')
    expect(segments().length).toBe(2)
    await readAll(store)
    const after = segmentObjectStore(root, { appends: true })
    await after.recover(async (keys) => new Set(keys.filter((key) => kept.has(key))), 0)
    await readAll(after)
    const listed: string[] = []
    for await (const { key } of after.list()) listed.push(key)
    expect(listed.toSorted()).toEqual([...kept.keys()].toSorted())
  })

  it('writes half and is full: nothing of it is believed, and what was there stays', async () => {
    await put('before')
    disk.fails = 'write'
    await expect(put('half')).rejects.toMatchObject({ fault: 'FULL' })
    disk.fails = 'nothing'
    await put('after')
    const after = segmentObjectStore(root, { appends: true })
    await after.recover(async (keys) => new Set(keys.filter((key) => kept.has(key))), 0)
    await readAll(after)
    expect(segments().some((name) => readFileSync(join(root, 'segments', name)).includes('half half'))).toBe(false)
  })

  it('loses power: what was acknowledged is there, whatever became of the bytes behind it', async () => {
    for (let round = 0; round < 12; round += 1) {
      for (let group = 0; group < 3; group += 1)
        await Promise.all([1, 2, 3].map((n) => put(`round${round}.${group}.${n}`, 500 + round * 700 * n)))
      // Arrived, written perhaps, and nobody was told.
      await store.stage(bytesOf(`staged${round}`))
      const staged = await store.stage(bytesOf(`doubtful${round}`))
      await store.intend([{ staged, key: `scans/doubtful${round}~${staged.nameEnd}` }])
      for (const [path, safe] of disk.safe) {
        const bytes = readFileSync(path)
        if (bytes.length <= safe) continue
        // Cut, left as zeros, or torn in its middle.
        const cut = safe + Math.floor(Math.random() * (bytes.length - safe))
        if (round % 3 === 1) bytes.fill(0, cut)
        if (round % 3 === 2) bytes.fill(0, safe, cut)
        writeFileSync(path, round % 3 === 0 ? bytes.subarray(0, cut) : bytes)
      }
      disk.safe.clear()
      store = segmentObjectStore(root, { appends: true, createFile: disk.createFile })
      await store.recover(async (keys) => new Set(keys.filter((key) => kept.has(key))), 0)
      const listed: string[] = []
      for await (const { key } of store.list()) listed.push(key)
      expect(listed.toSorted()).toEqual([...kept.keys()].toSorted())
    }
    await readAll(store)
  })
})
