import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '../objectStore.ts'
import { segmentObjectStore } from '../objectStoreSegments.ts'
import { headBytes, parsePlace } from './segmentFormat.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-rotten-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const length = 5000
const bytesOf = (name: string): Buffer => Buffer.alloc(length, name)
const open = (): ObjectStore => segmentObjectStore(root, { appends: true })
const read = async (store: ObjectStore, key = ''): Promise<Buffer> => buffer(await store.read(key))

async function put(store: ObjectStore, name: string): Promise<string> {
  const staged = await store.stage(bytesOf(name))
  const key = `scans/${name}~${staged.nameEnd}`
  await store.intend([{ staged, key }])
  await store.keep([staged])
  return key
}

describe('a segment that rots', () => {
  it.each([
    ['the head of an object', 5],
    ['the record that names it', headBytes + length + headBytes + 10],
  ])('loses nothing but what rotted, by a crash or by clearing: %s [P20, P98]', async (what, distance) => {
    const before = open()
    const keys = [await put(before, 'a'), await put(before, 'b'), await put(before, 'c')]
    const { segment = '', offset = 0 } = parsePlace(keys[1] ?? '') ?? {}
    const path = join(root, 'segments', `${segment}.seg`)
    const bytes = readFileSync(path)
    bytes[offset + distance] = (bytes[offset + distance] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const store = open()
    await store.recover(async (asked) => new Set(asked), 0)
    expect(await store.compact(true)).toEqual({ moved: 0, left: 1 })
    expect(readdirSync(join(root, 'segments'))).toContain(`${segment}.seg`)
    expect([await read(store, keys[0]), await read(store, keys[2])]).toEqual([bytesOf('a'), bytesOf('c')])
    const listed: string[] = []
    for await (const { key } of store.list()) listed.push(key)
    expect(listed).toEqual([keys[0], keys[2]])
    if (what.includes('head')) await expect(read(store, keys[1])).rejects.toMatchObject({ fault: 'MISSING' })
    else expect(await read(store, keys[1])).toEqual(bytesOf('b'))
  })
})
