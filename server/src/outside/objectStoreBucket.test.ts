import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBucket, type Bucket } from '@dmp/bucket'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import type { ObjectStore } from './objectStore.ts'
import { bucketObjectStore } from './objectStoreBucket.ts'

/** What `objectStores.test.ts`, which `npm test` runs on a bucket too, is too small for. */
let s3: S3Server
let root: string
let bucket: Bucket
let store: ObjectStore
/** Larger than what is read ahead, and nowhere the same. */
const bytes = Buffer.from(Uint32Array.from({ length: 3 * 2 ** 18 }, (_, index) => index * 2_654_435_761).buffer)

beforeAll(async () => {
  s3 = await startS3Server('a/store/')
  root = mkdtempSync(join(tmpdir(), 'dmp-bucket-'))
  bucket = openBucket(s3.location)
  store = bucketObjectStore(bucket, root)
})
afterAll(async () => {
  await s3.close()
  rmSync(root, { recursive: true, force: true })
})

async function put(key: string): Promise<void> {
  const staged = await store.stage(bytes)
  await store.intend([{ staged, key }])
  await store.keep([staged])
}

it('an object in a bucket is read at random, within what was read ahead, behind it and across its end', async () => {
  await put('large')
  const asked = jest.spyOn(bucket, 'get')
  const opened = await store.open('large')
  expect(opened.size).toBe(bytes.length)
  const ahead = 2 ** 20
  const ranges = [
    [0, 132],
    [ahead - 10, 10],
    [ahead - 10, 20],
    [ahead + 100_000, 1000],
    [ahead + 100_500, 200],
    [ahead + 100_000, 300_000],
    [500, 40],
    [bytes.length - 5, 100],
    [bytes.length, 10],
  ] as const
  for (const [offset, length] of ranges)
    expect([
      offset,
      length,
      (await opened.read(offset, length)).equals(bytes.subarray(offset, offset + length)),
    ]).toEqual([offset, length, true])
  await opened.close()
  // The beginning, then what is behind it with a quarter more, and never twice what is there.
  expect(asked.mock.calls.map(([, range]) => [range?.start, (range?.end ?? 0) + 1])).toEqual([
    [0, ahead],
    [ahead - 10, ahead - 10 + ahead / 4],
    [ahead + 100_000, ahead + 400_000],
    [500, 500 + ahead / 4],
    [bytes.length - 5, bytes.length],
  ])
  asked.mockRestore()
  expect(readdirSync(join(root, 'incoming'))).toEqual([])
})

it('what another living server is sending is left alone; what a dead one sent without a row is removed [P20]', async () => {
  const staged = await store.stage(bytes)
  await store.intend([{ staged, key: 'theirs' }])
  const nothing = async () => new Set<string>()
  expect(await store.recover(nothing, 60_000)).toEqual({ kept: 0, discarded: 0 })
  expect((await store.open('theirs')).size).toBe(bytes.length)
  expect(await store.recover(nothing, 0)).toEqual({ kept: 0, discarded: 1 })
  await expect(store.open('theirs')).rejects.toMatchObject({ fault: 'MISSING' })
  expect((await store.open('large')).size).toBe(bytes.length)
})

it('what was intended or only staged and is then discarded leaves nothing, and what was kept beside it stays [P12, P20]', async () => {
  const [kept, lost, nameless] = await Promise.all(
    ['kept', 'lost', 'nameless'].map((text) => store.stage(Buffer.from(text))),
  )
  if (!kept || !lost || !nameless) throw new Error('Nothing was staged.')
  await store.intend([
    { staged: kept, key: 'of-two/kept' },
    { staged: lost, key: 'of-two/lost' },
  ])
  const notes = async () => {
    const found: string[] = []
    for await (const { key } of bucket.list('incoming/')) found.push(key)
    return found.length
  }
  await store.keep([kept])
  // One of the two can still turn out to have no row.
  expect(await notes()).toBe(1)
  await store.discard([lost, nameless])
  expect([await notes(), readdirSync(join(root, 'incoming'))]).toEqual([0, []])
  expect((await store.open('of-two/kept')).size).toBe(4)
  await expect(store.open('of-two/lost')).rejects.toMatchObject({ fault: 'MISSING' })
  await store.intend([])
  expect(await notes()).toBe(0)
})

it('a bucket gives way to deletions, and knows objects by their keys, not by their UIDs', () => {
  expect([store.canRemove, store.isArchive]).toEqual([true, false])
})
