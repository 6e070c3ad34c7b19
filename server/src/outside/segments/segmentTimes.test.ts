import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ObjectStore } from '../objectStore.ts'
import { segmentObjectStore } from '../objectStoreSegments.ts'

let root: string
let store: ObjectStore
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-times-'))
  store = segmentObjectStore(root, { appends: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function put(name: string): Promise<string> {
  const staged = await store.stage(Buffer.from(name.repeat(2000)))
  const key = `scans/${name}~${staged.nameEnd}`
  await store.intend([{ staged, key }])
  await store.keep([staged])
  return key
}
const read = async (key = ''): Promise<string> =>
  (await buffer(await store.read(key))).toString().replace(/^(.+?)\1*$/, '$1')
const segments = (): string[] => readdirSync(join(root, 'segments')).filter((name) => name.endsWith('.seg'))

describe('a segment', () => {
  it('is added to until ten minutes of quiet, and for twelve hours where there are none', async () => {
    const [date, clock] = [jest.spyOn(Date, 'now'), jest.spyOn(performance, 'now')]
    const at = async (minutes: number, ms = 0): Promise<number> => {
      for (const now of [date, clock]) now.mockReturnValue(1e12 + minutes * 60_000 + ms)
      await put(`at-${minutes}-${ms}`)
      return segments().length
    }
    expect([await at(0), await at(10), await at(20, 1)]).toEqual([1, 1, 2])
    // Something every nine minutes.
    for (let turn = 1; turn <= 80; turn += 1) expect(await at(20 + 9 * turn, 1)).toBe(2)
    expect(await at(20 + 12 * 60, 2)).toBe(3)
    for (const now of [date, clock]) now.mockRestore()
  })

  it('is not added to after the machine slept, while the clock of the process stood still', async () => {
    await put('before')
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000)
    await put('after')
    later.mockRestore()
    expect(segments()).toHaveLength(2)
    // The one before is closed, or what is removed of it would never be given back.
    const settled = () => readdirSync(join(root, 'segments')).filter((name) => name.endsWith('.settled'))
    for (let tries = 0; tries < 200 && settled().length === 0; tries += 1)
      await new Promise((again) => setTimeout(again, 10))
    expect(settled()).toHaveLength(1)
  })

  it('gives back the space of what was removed on a server that stays up, once nothing is added any more [P20]', async () => {
    const keys = [await put('a'), await put('b')]
    await store.remove(keys.slice(0, 1))
    expect([await store.compact(), segments().length]).toEqual([{ moved: 0, left: 0 }, 1])
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000)
    expect([await store.compact(), segments()]).toEqual([{ moved: 1, left: 0 }, []])
    later.mockRestore()
    expect([await read(keys[1]), await read(await put('c')), segments().length]).toEqual(['b', 'c', 1])
  })

  it('is cleared by one server at a time, which waits an hour for one that may have died at it', async () => {
    const keys = [await put('a'), await put('b')]
    // As after the end of the only server.
    store = segmentObjectStore(root, { appends: true })
    await store.recover(async () => new Set(keys), 0)
    const claim = join(root, 'segments', segments()[0]?.replace('.seg', '.moving') ?? '')
    writeFileSync(claim, '')
    // By the clock of the disk, which all servers share.
    const now = statSync(claim).mtimeMs
    const claimedAgo = (seconds: number) => utimesSync(claim, now / 1000, now / 1000 - seconds)
    for (const seconds of [0, 3590]) {
      claimedAgo(seconds)
      expect([await store.compact(true), existsSync(claim)]).toEqual([{ moved: 0, left: 1 }, true])
    }
    claimedAgo(3610)
    expect([await store.compact(true), segments()]).toEqual([{ moved: 2, left: 0 }, []])
    expect([await read(keys[0]), await read(keys[1])]).toEqual(['a', 'b'])
  })
})
