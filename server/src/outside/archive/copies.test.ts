import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { ObjectStoreError } from '../objectStore.ts'
import { LocalCopies } from './copies.ts'

let root: string
let copies: LocalCopies
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-copies-'))
  copies = new LocalCopies(root)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const held = (): string[] => readdirSync(join(root, 'copies'))
const away = () => Promise.reject(new ObjectStoreError('UNAVAILABLE'))
async function read(key: string, fetch: () => Promise<Readable>): Promise<string> {
  const opened = await copies.open(key, fetch)
  const bytes = await opened.read(0, 5)
  await opened.close()
  return bytes.toString()
}
const of = (text: string) => async () => Readable.from([Buffer.from(text)])

/** An object that says to be so large, without taking the room on the disk. */
const large = (bytes: number) => async (): Promise<Readable> => {
  const before = new Set(held())
  return Readable.from(
    (async function* () {
      // More than a file takes in one go: when it asks for more, it is there.
      yield Buffer.alloc(2 ** 17)
      // On a busy machine the file is opened a little later.
      let copy = held().find((name) => !before.has(name))
      for (; copy === undefined; copy = held().find((name) => !before.has(name))) await setTimeout(5)
      truncateSync(join(root, 'copies', copy), bytes)
    })(),
  )
}

describe('copies of what an archive holds', () => {
  it('are asked for once, and anew when somebody took the file away', async () => {
    expect([await read('a', of('first')), await read('a', away)]).toEqual(['first', 'first'])
    rmSync(join(root, 'copies', held()[0] ?? ''))
    expect(await read('a', of('again'))).toBe('again')
    rmSync(join(root, 'copies', held()[0] ?? ''))
    await copies.forget('a')
    expect(await read('a', of('third'))).toBe('third')
  })

  it('that cannot be had are refused to everybody who waits, with what the archive said, and asked for once', async () => {
    let asked = 0
    const fail = () => {
      asked += 1
      return away()
    }
    const both = await Promise.allSettled([copies.open('a', fail), copies.open('a', fail)])
    expect(both).toMatchObject([{ reason: { fault: 'UNAVAILABLE' } }, { reason: { fault: 'UNAVAILABLE' } }])
    expect([asked, held(), await read('a', of('now')), held().length]).toEqual([1, [], 'now', 1])
  })

  it('of an earlier process go, where there are any, and strangers on the machine read none [P23]', async () => {
    await copies.clear()
    await read('a', of('first'))
    expect(statSync(join(root, 'copies', held()[0] ?? '')).mode & 0o007).toBe(0)
    await copies.clear()
    expect(existsSync(join(root, 'copies'))).toBe(false)
  })

  it('take a gigabyte at most; the one that was used longest ago goes first', async () => {
    await read('x', of('small'))
    await copies.forget('x')
    for (const key of ['a', 'b']) await read(key, large(2 ** 29))
    expect(held()).toHaveLength(2)
    await read('a', away)
    await read('c', of('small'))
    expect(held()).toHaveLength(2)
    await read('a', away)
    await expect(read('b', away)).rejects.toMatchObject({ fault: 'UNAVAILABLE' })
  })
})
