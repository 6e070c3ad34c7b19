import { hash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { DiskSpace } from '../core/diskSpace.ts'
import type { ObjectStore, StagedObject } from './objectStore.ts'
import { FolderObjectStore } from './objectStoreFolder.ts'
import { segmentObjectStore, type SegmentOptions } from './objectStoreSegments.ts'
import { createSegmentFile } from './segments/segmentFile.ts'

let root: string
let store: ObjectStore
let syncs: number

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-segments-'))
  syncs = 0
  store = open()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** One more server on the same folder. */
const open = (options: Partial<SegmentOptions> = {}): ObjectStore =>
  segmentObjectStore(root, {
    appends: true,
    createFile: async (path) => {
      const file = await createSegmentFile(path)
      return { ...file, sync: () => ((syncs += 1), file.sync()) }
    },
    ...options,
  })

const bytesOf = (name: string, length = 5000): Buffer => Buffer.from(name.repeat(length).slice(0, length))
const keyOf = (name: string, { nameEnd }: StagedObject): string => `scans/${name}~${nameEnd}`

async function intend(name: string, content = bytesOf(name)): Promise<{ staged: StagedObject; key: string }> {
  const staged = await store.stage(content)
  const key = keyOf(name, staged)
  await store.intend([{ staged, key }])
  return { staged, key }
}
async function put(name: string, content?: Buffer): Promise<string> {
  const { staged, key } = await intend(name, content)
  await store.keep([staged])
  return key
}
const read = async (key: string, from = store): Promise<Buffer> => buffer(await from.read(key))
const segments = (): string[] =>
  existsSync(join(root, 'segments')) ? readdirSync(join(root, 'segments')).filter((name) => name.endsWith('.seg')) : []
const raw = (): Buffer => Buffer.concat(segments().map((name) => readFileSync(join(root, 'segments', name))))
const filesBelow = (): string[] =>
  existsSync(join(root, 'objects'))
    ? readdirSync(join(root, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(join(root, 'objects', name)).isFile(),
      )
    : []
async function listed(from = store): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of from.list()) keys.push(key)
  return keys.toSorted()
}
/** As a server that takes over the folder after its only server has died. */
const takeOver = async (kept: readonly string[]) => {
  store = open()
  return store.recover(async () => new Set(kept), 0)
}

describe('objects that are appended to segments', () => {
  it('share a segment, and those that wait together share a sync', async () => {
    const group = await Promise.all(['a', 'b', 'c', 'd'].map((name) => intend(name)))
    expect([segments().length, filesBelow()]).toEqual([1, []])
    // The first goes at once, and the others together when it is done.
    expect(syncs).toBeLessThan(4)
    await store.keep(group.map(({ staged }) => staged))
    expect(await Promise.all(group.map(({ key }) => read(key)))).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => bytesOf(name)),
    )
    expect(group[0]?.staged.sha256).toBe(hash('sha256', bytesOf('a')))
  })

  it('are whole at any length, and a longer one is a file', async () => {
    for (const size of [0, 1, 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1]) {
      const key = await put(`s${size}`, bytesOf('0123456', size))
      const opened = await store.open(key)
      expect([size, opened.size, (await opened.read(0, size)).equals(bytesOf('0123456', size))]).toEqual([
        size,
        size,
        true,
      ])
      await opened.close()
      expect([size, (await read(key)).equals(bytesOf('0123456', size)), await store.holds(key, size)]).toEqual([
        size,
        true,
        true,
      ])
    }
    expect(filesBelow().length).toBe(1)
  })

  it('begin a new segment where one is full', async () => {
    store = open({ segmentBytes: 8000 })
    const keys = [await put('a'), await put('b'), await put('c')]
    expect(segments().length).toBe(2)
    expect(await Promise.all(keys.map((key) => read(key)))).toEqual([bytesOf('a'), bytesOf('b'), bytesOf('c')])
  })

  it('are found by a flipped byte when they are read [P20]', async () => {
    const key = await put('a')
    const path = join(root, 'segments', segments()[0] ?? '')
    const bytes = readFileSync(path)
    bytes[100] = 0xff
    writeFileSync(path, bytes)
    expect(hash('sha256', await read(key))).not.toBe(hash('sha256', bytesOf('a')))
  })

  it('say FULL where the reserve of the disk is reached, and leave nothing [P21]', async () => {
    store = open({ disk: new DiskSpace({ objects: [root] }, { reserveBytes: 2 ** 60, noticeBytes: 0 }) })
    await expect(store.stage(bytesOf('a'))).rejects.toMatchObject({ fault: 'FULL' })
    expect(segments()).toEqual([])
  })

  it('take no key but the one that says where they lie', async () => {
    const staged = await store.stage(bytesOf('a'))
    await expect(store.intend([{ staged, key: 'scans/a~1' }])).rejects.toThrow('own place')
    const other = await store.stage(bytesOf('b'))
    await expect(store.intend([{ staged, key: keyOf('a', other) }])).rejects.toThrow('own place')
  })

  it('leave those alone that are soon removed again, and everything where it is not wanted', async () => {
    const staged = await store.stage(bytesOf('piece'), { isApart: true })
    await store.intend([{ staged, key: 'uploads/piece' }])
    await store.keep([staged])
    store = open({ appends: false })
    await put('plain')
    expect([segments(), filesBelow().length]).toEqual([[], 2])
  })
})

describe('what is removed from a segment [P98]', () => {
  it('is overwritten at once, also where it was only staged [P12, P20]', async () => {
    const kept = await put('KEPT-PATIENT')
    const removed = await put('REMOVED-PATIENT')
    const staged = await store.stage(bytesOf('STAGED-PATIENT'))
    const intended = await intend('INTENDED-PATIENT')
    expect(['REMOVED', 'STAGED', 'INTENDED'].filter((name) => raw().includes(`${name}-PATIENT`)).length).toBe(3)
    await store.remove([removed])
    await store.discard([staged, intended.staged])
    await store.discard([staged])
    expect(['REMOVED', 'STAGED', 'INTENDED'].filter((name) => raw().includes(`${name}-PATIENT${name}`))).toEqual([])
    expect([await read(kept), await listed()]).toEqual([bytesOf('KEPT-PATIENT'), [kept]])
    await expect(store.read(removed)).rejects.toMatchObject({ fault: 'MISSING' })
    expect(await store.holds(removed, 5000)).toBe(false)
  })

  it('never reaches a reader as zeros: who is in the middle of it is told', async () => {
    const content = bytesOf('a', 2 ** 20)
    const key = await put('a', content)
    const stream = await store.read(key)
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    expect((await pieces.next()).value).toEqual(content.subarray(0, 2 ** 18))
    await open().remove([key])
    const rest = async () => {
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next())
        expect(next.value.includes(0)).toBe(false)
    }
    await expect(rest()).rejects.toMatchObject({ fault: 'MISSING' })
  })

  it('gives its space back by the next sweep, and what stays is read under its key [P20]', async () => {
    const keys = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name)))
    await store.remove(keys.slice(0, 1))
    await takeOver(keys)
    expect((await store.compact()).moved).toBe(3)
    expect([readdirSync(join(root, 'segments')), filesBelow().length]).toEqual([[], 3])
    expect(await Promise.all(keys.slice(1).map((key) => read(key)))).toEqual([bytesOf('b'), bytesOf('c'), bytesOf('d')])
    expect(await listed()).toEqual(keys.slice(1).toSorted())
    await store.remove(keys)
    expect(filesBelow()).toEqual([])
  })

  it('stays as zeros where it is little', async () => {
    const keys = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => put(name)))
    await store.remove(keys.slice(0, 1))
    await takeOver(keys)
    expect([await store.compact(), segments().length]).toEqual([{ moved: 0, left: 0 }, 1])
  })

  it('does not come back when it is removed while its segment is cleared [P02, P20]', async () => {
    const keys = [await put('a'), await put('b')]
    await takeOver(keys)
    const other = open()
    // Removed when the copy is there and the segment is not gone yet.
    const keep = jest.spyOn(FolderObjectStore.prototype, 'keep').mockImplementation(async function (
      this: FolderObjectStore,
      staged,
    ) {
      keep.mockRestore()
      await this.keep(staged)
      await other.remove([keys[0] ?? ''])
    })
    await store.compact(true)
    expect([await listed(), filesBelow().length]).toEqual([[keys[1]], 1])
  })

  it('loses nothing when clearing a segment stops anywhere [P20]', async () => {
    const keys = [await put('a'), await put('b'), await put('c')]
    await takeOver(keys)
    for (const step of ['stage', 'intend', 'keep', 'remove'] as const) {
      const spy = jest.spyOn(FolderObjectStore.prototype, step).mockRejectedValue(new Error('the machine stopped'))
      await expect(store.compact(true)).rejects.toThrow('the machine stopped')
      spy.mockRestore()
      expect([step, await Promise.all(keys.map((key) => read(key)))]).toEqual([
        step,
        [bytesOf('a'), bytesOf('b'), bytesOf('c')],
      ])
      expect([...new Set(await listed())]).toEqual(keys.toSorted())
      // Whoever died at it is not waited for.
      for (const name of readdirSync(join(root, 'segments')).filter((each) => each.endsWith('.moving')))
        utimesSync(join(root, 'segments', name), 0, 0)
      await store.recover(async (asked) => new Set(asked), 0)
    }
    expect((await store.compact(true)).moved).toBe(3)
    expect(await Promise.all(keys.map((key) => read(key)))).toEqual([bytesOf('a'), bytesOf('b'), bytesOf('c')])
    expect(segments()).toEqual([])
  })

  it('goes out of the way of an object that is restored under its key', async () => {
    const key = await put('a')
    const restoring = open({ appends: false })
    const staged = await restoring.stage(bytesOf('a'))
    await restoring.intend([{ staged, key }])
    await restoring.keep([staged])
    expect([await read(key), raw().includes('aaaa'), filesBelow().length]).toEqual([bytesOf('a'), false, 1])
    await store.remove([key])
    await expect(store.read(key)).rejects.toMatchObject({ fault: 'MISSING' })
  })
})

describe('servers on one folder', () => {
  it('append to segments of their own, and leave what others do alone', async () => {
    const other = open()
    const [mine, theirs] = [await put('mine'), await other.stage(bytesOf('theirs'))]
    expect(segments().length).toBe(2)
    expect(await open().recover(async () => new Set(), 60_000)).toEqual({ kept: 0, discarded: 0 })
    expect(await open().compact(true)).toEqual({ moved: 0, left: 2 })
    const key = keyOf('theirs', theirs)
    await other.intend([{ staged: theirs, key }])
    await other.keep([theirs])
    expect([await read(key), await read(mine, other)]).toEqual([bytesOf('theirs'), bytesOf('mine')])
  })

  it('that no longer append make files of what is there, under the same keys', async () => {
    const keys = [await put('a'), await put('b')]
    store = open({ appends: false })
    await store.recover(async () => new Set(keys), 0)
    expect(await store.compact()).toEqual({ moved: 2, left: 0 })
    // A server from before segments reads them.
    const earlier = new FolderObjectStore(root)
    expect([segments(), await Promise.all(keys.map((key) => read(key, earlier)))]).toEqual([
      [],
      [bytesOf('a'), bytesOf('b')],
    ])
  })

  it('ask only about what was under way when one of them died', async () => {
    const kept = await put('a')
    const [stays, goes] = [await intend('stays'), await intend('goes')]
    await store.stage(bytesOf('nameless'))
    const asked: string[] = []
    store = open()
    const settled = await store.recover(async (keys) => (asked.push(...keys), new Set([stays.key])), 0)
    expect([settled, asked.toSorted()]).toEqual([{ kept: 1, discarded: 2 }, [stays.key, goes.key].toSorted()])
    expect(await listed()).toEqual([kept, stays.key].toSorted())
    expect(await store.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
  })
})
