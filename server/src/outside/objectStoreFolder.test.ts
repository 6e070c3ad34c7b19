import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ObjectStoreError, type ObjectStore } from './objectStore.ts'
import { folderObjectStore } from './objectStoreFolder.ts'

let root: string
let store: ObjectStore

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-objects-'))
  store = folderObjectStore(root)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const files = (): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(root, name)).isFile())
async function* chunks(...all: string[]): AsyncGenerator<Buffer> {
  for (const one of all) yield Buffer.from(one)
}
async function contentOf(key: string, range?: { start: number; end: number }): Promise<string> {
  const all: Buffer[] = []
  for await (const chunk of await store.read(key, range)) all.push(chunk as Buffer)
  return Buffer.concat(all).toString()
}
async function put(key: string, text: string): Promise<void> {
  const staged = await store.stage(Buffer.from(text))
  await store.intend([{ staged, key }])
  await store.keep([staged])
}

/** The first sync of a file waits until it is let go; later ones fail as on a full disk, once that is on. */
async function watchSyncs() {
  const handle = await open(root, 'r')
  const syncs = Promise.withResolvers<void>()
  const failing = { isOn: false }
  const real = handle.sync
  jest.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync').mockImplementation(async function (this: FileHandle) {
    if ((await this.stat()).isDirectory()) return real.call(this)
    if (failing.isOn) throw Object.assign(new Error('no room'), { code: 'ENOSPC', syscall: 'fsync' })
    await syncs.promise
  })
  return { handle, syncs, failing }
}

describe('the object store never shows half an object [P20]', () => {
  it('tells hash and size of what was staged, and keeps it under its key', async () => {
    const staged = await store.stage(chunks('hello ', 'world'))
    expect([staged.size, staged.sha256]).toEqual([
      11,
      'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    ])
    await store.intend([{ staged, key: 'a/b/c' }])
    await store.keep([staged])
    expect([await contentOf('a/b/c'), await contentOf('a/b/c', { start: 6, end: 8 })]).toEqual(['hello world', 'wor'])
    expect(files()).toEqual([join('objects', 'a', 'b', 'c')])
  })

  it('syncs bytes beside what is done with them, and intends nothing before they are safe', async () => {
    const { handle, syncs, failing } = await watchSyncs()
    try {
      const staged = await store.stage(Buffer.from('slowly'))
      const steps: string[] = []
      const intended = store.intend([{ staged, key: 'a/slow' }]).then(() => steps.push('intended'))
      await pause(50)
      expect(steps).toEqual([])
      syncs.resolve()
      await intended
      failing.isOn = true
      const lost = await store.stage(Buffer.from('lost'))
      await expect(store.intend([{ staged: lost, key: 'a/lost' }])).rejects.toMatchObject({ fault: 'FULL' })
      await store.discard([lost])
      expect(files().some((name) => name.includes('lost'))).toBe(false)
    } finally {
      jest.restoreAllMocks()
      await handle.close()
    }
  })

  it('reads an object whose row is committed before it was moved to its place', async () => {
    const staged = await store.stage(Buffer.from('between'))
    await store.intend([{ staged, key: 'a/b' }])
    expect(await contentOf('a/b')).toBe('between')
  })

  it('leaves nothing of content that is too long or breaks off [P12]', async () => {
    await expect(store.stage(chunks('12345', '67890'), { maxBytes: 8 })).rejects.toMatchObject({ fault: 'TOO_LARGE' })
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('half')
      throw new Error('the line broke')
    }
    await expect(store.stage(broken())).rejects.toThrow('the line broke')
    expect(files()).toEqual([])
  })

  it('takes content that is just as long as is allowed, and gives any length back whole [P12]', async () => {
    expect((await store.stage(chunks('12345', '67890'), { maxBytes: 10 })).size).toBe(10)
    // Around what stays in memory, and what is written at a time.
    for (const size of [0, 1, 2 ** 18, 2 ** 18 + 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 ** 20 + 2 ** 18]) {
      const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251))
      const pieces = async function* (): AsyncGenerator<Buffer> {
        for (let at = 0; at < size; at += 2 ** 16) yield bytes.subarray(at, at + 2 ** 16)
      }
      const staged = await store.stage(pieces())
      const before = await staged.open()
      expect([size, (await before.read(0, size)).equals(bytes)]).toEqual([size, true])
      await before.close()
      await store.intend([{ staged, key: `sizes/${size}` }])
      await store.keep([staged])
      const opened = await store.open(`sizes/${size}`)
      expect([size, opened.size, (await opened.read(0, size)).equals(bytes), staged.sha256]).toEqual([
        size,
        size,
        true,
        createHash('sha256').update(bytes).digest('hex'),
      ])
      await opened.close()
    }
  })

  it('after a crash keeps what has a row and discards what has none', async () => {
    const [kept, lost, nameless] = await Promise.all([
      store.stage(Buffer.from('kept')),
      store.stage(Buffer.from('lost')),
      store.stage(Buffer.from('nameless')),
    ])
    await store.intend([
      { staged: kept, key: 'x/kept' },
      { staged: lost, key: 'x/lost' },
    ])
    expect(nameless.key).toBeUndefined()
    const afterwards = folderObjectStore(root)
    const asked: string[] = []
    const settled = await afterwards.recover(async (keys) => {
      asked.push(...keys)
      return new Set(['x/kept'])
    }, 0)
    expect([settled, asked.toSorted(), files()]).toEqual([
      { kept: 1, discarded: 2 },
      ['x/kept', 'x/lost'],
      [join('objects', 'x', 'kept')],
    ])
  })

  it('leaves the work of other living servers alone', async () => {
    await store.stage(Buffer.from('theirs'))
    expect(await folderObjectStore(root).recover(async () => new Set(), 60_000)).toEqual({ kept: 0, discarded: 0 })
    expect(files().length).toBe(1)
  })

  it('counts as left behind what nobody has touched for longer than that, by the clock of the disk', async () => {
    await store.stage(Buffer.from('theirs'))
    const discarded = async (ageSeconds: number) => {
      const touched = Date.now() / 1000 - ageSeconds
      for (const name of files()) utimesSync(join(root, name), touched, touched)
      return (await folderObjectStore(root).recover(async () => new Set(), 60_000)).discarded
    }
    // That clock lies some milliseconds behind the machine's.
    expect([await discarded(59), await discarded(61)]).toEqual([0, 1])
  })

  it('goes by the clock of the disk, not by one that was set two days ahead [P20, P21]', async () => {
    await store.stage(Buffer.from('under way'))
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 24 * 3_600_000)
    const { discarded } = await folderObjectStore(root).recover(async () => new Set(), 60_000)
    clock.mockRestore()
    expect(discarded).toBe(0)
  })

  it('bears that something is discarded twice', async () => {
    const staged = await store.stage(Buffer.from('twice'))
    await store.discard([staged])
    await store.discard([staged])
    expect(files()).toEqual([])
  })

  it('removes, also what is not there', async () => {
    await put('a/b', 'gone')
    await store.remove(['a/b', 'a/never'])
    expect(files()).toEqual([])
    await expect(store.read('a/b')).rejects.toMatchObject({ fault: 'MISSING' })
  })

  it('takes no key that leads out of its folder [P16]', async () => {
    writeFileSync(join(root, 'secret'), 'secret')
    for (const key of ['../secret', 'a/../../secret', '/etc/passwd', '', 'a\0b'])
      await expect(store.read(key)).rejects.toBeInstanceOf(ObjectStoreError)
  })

  it('says in a sentence when it cannot be written [P21]', async () => {
    writeFileSync(join(root, 'incoming'), 'a file where the folder should be')
    const fault = await store.ready().catch((cause: unknown) => cause)
    expect(fault).toBeInstanceOf(ObjectStoreError)
    expect((fault as Error).message).not.toContain(root)
    await expect(store.stage(Buffer.from('x'))).rejects.toBeInstanceOf(ObjectStoreError)
  })

  it('ends where a file does that is cut while it is read', async () => {
    await put('a/b', 'x'.repeat(2 ** 19))
    const stream = await store.read('a/b')
    truncateSync(join(root, 'objects', 'a', 'b'), 1000)
    let bytes = 0
    for await (const piece of stream) bytes += (piece as Buffer).length
    expect(bytes).toBe(1000)
  })

  it('keeps an object of many megabytes out of memory', async () => {
    const megabyte = Buffer.alloc(2 ** 20, 7)
    const many = async function* (): AsyncGenerator<Buffer> {
      for (let i = 0; i < 64; i++) yield megabyte
    }
    const before = process.memoryUsage().arrayBuffers
    const staged = await store.stage(many())
    expect(staged.size).toBe(64 * 2 ** 20)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 2 ** 20)
  })
})
