import { readRange } from './readRange.ts'
import type { FolderObjectStore } from '../objectStoreFolder.ts'
import type { StagedObject } from '../objectStore.ts'
import { scanSegment, type ScannedSegment } from './scanSegment.ts'
import type { SegmentFolder } from './segmentFolder.ts'

/** Files that are synced and become visible together. */
const atOnce = 32

type Found = ScannedSegment['objects'][number]

/**
 * Makes what is left in a settled segment files under the same keys, and lets go of the segment. It can stop anywhere:
 * a file and its place in the segment have the same bytes. Returns how many objects it moved; undefined where another
 * server is at it.
 */
export async function moveToFiles(
  segments: SegmentFolder,
  files: FolderObjectStore,
  segment: string,
): Promise<number | undefined> {
  if (!(await segments.claim(segment, await files.readClock()))) return undefined
  const { objects } = await scanSegment(segments.pathOf(segment), segment)
  const named = objects.filter(({ key }) => key !== undefined)
  let moved = 0
  for (let done = 0; done < named.length; done += atOnce)
    moved += await moveGroup(segments, files, named.slice(done, done + atOnce))
  await segments.remove(segment)
  return moved
}

async function moveGroup(segments: SegmentFolder, files: FolderObjectStore, group: readonly Found[]): Promise<number> {
  const copies: { staged: StagedObject; key: string }[] = []
  for (const { place, key = '' } of group) {
    const object = await segments.openObject(place)
    if (!object) continue
    const content = readRange(object)
    try {
      copies.push({ staged: await files.stage(content), key })
    } finally {
      content.destroy()
    }
  }
  await files.intend(copies)
  await files.keep(copies.map(({ staged }) => staged))
  // One that was removed meanwhile must not come back as a file.
  const gone: string[] = []
  for (const { place, key = '' } of group) {
    const object = await segments.openObject(place)
    await object?.close()
    if (!object) gone.push(key)
  }
  await files.remove(gone)
  return group.length - gone.length
}
