import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskSpace } from '../core/diskSpace.ts'
import { readingLimits } from '../dicom/limits.ts'
import type { ObjectReader } from '../dicom/objectReader.ts'
import type { ObjectStore } from './objectStore.ts'
import { StoredObjects } from './storedObjects.ts'

const deflated = '1.2.840.10008.1.2.1.99'
const turn = { customer: 'north', person: 'ann' }
const row = (key: string) => ({ object_key: key, transfer_syntax_uid: deflated })
let folder: string
/** Objects that are open in the store, and what was inflated of them. */
let opened: string[]
let inflated: string[]
let failure: Error | undefined
let stored: StoredObjects
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-copies-'))
  opened = []
  inflated = []
  failure = undefined
  jest.replaceProperty(readingLimits as { inflatedCopies: number }, 'inflatedCopies', 2)
  stored = create()
})
afterEach(() => {
  stored.close()
  jest.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

function create(disk?: DiskSpace): StoredObjects {
  let newest = ''
  const objects = {
    open: async (key: string) => {
      opened.push(key)
      newest = key
      return { size: 4, close: async () => void opened.splice(opened.indexOf(key), 1) }
    },
  } as unknown as ObjectStore
  const reader = {
    runStored: async (_work: string, { path }: { path: string }) => {
      inflated.push(newest)
      await writeFile(path, `inflated ${newest}`)
      if (failure) throw failure
    },
  } as unknown as ObjectReader
  return new StoredObjects(objects, reader, join(folder, 'incoming'), disk)
}
const open = (key: string) => stored.open(row(key), turn)
const text = async (object: Awaited<ReturnType<typeof open>>): Promise<string> =>
  Buffer.from(await object.read(0, object.size)).toString()

describe('a deflated object', () => {
  it('is inflated once for all who read it, into a file without a name', async () => {
    const readers = await Promise.all([open('a'), open('a'), open('a')])
    expect([await Promise.all(readers.map(text)), inflated]).toEqual([Array(3).fill('inflated a'), ['a']])
    expect([opened, readdirSync(join(folder, 'incoming'))]).toEqual([[], []])
    for (const reader of readers) await reader.close()
    expect([await text(await open('a')), inflated]).toEqual(['inflated a', ['a']])
  })

  it('that had to make room for others is read to its end, and inflated anew afterwards', async () => {
    const [first, second] = [await open('a'), await open('a')]
    for (const key of ['b', 'c']) await (await open(key)).close()
    expect([await text(first), await text(second)]).toEqual(['inflated a', 'inflated a'])
    await first.close()
    // Who closes twice takes nothing from others.
    await first.close()
    expect(await text(second)).toBe('inflated a')
    await second.close()
    await expect(text(second)).rejects.toThrow()
    const again = await open('a')
    expect([await text(again), inflated]).toEqual(['inflated a', ['a', 'b', 'c', 'a']])
    await again.close()
  })

  it('that could not be inflated leaves nothing, and is tried again', async () => {
    failure = new Error('broken')
    await expect(open('a')).rejects.toThrow('broken')
    expect([opened, readdirSync(join(folder, 'incoming'))]).toEqual([[], []])
    failure = undefined
    expect([await text(await open('a')), inflated]).toEqual(['inflated a', ['a', 'a']])
  })

  it('is not inflated where the disk has only its reserve', async () => {
    stored = create(new DiskSpace({ objects: [folder] }, { reserveBytes: 2 ** 60, noticeBytes: 0 }))
    await expect(open('a')).rejects.toMatchObject({ code: 'ENOSPC' })
    expect([opened, existsSync(join(folder, 'incoming'))]).toEqual([[], false])
  })
})
