import { readRange } from '../readRange.ts'
import type { FolderObjectStore } from '../objectStoreFolder.ts'
import type { StagedObject } from '../objectStore.ts'
import { scanSegment, type ScannedObject } from './scanSegment.ts'
import { unlessMissing } from '../localStaging.ts'
import type { SegmentFolder } from './segmentFolder.ts'

/** Files that are synced and become visible together. */
const atOnce = 32

type Named = ScannedObject & { readonly named: { readonly key: string } }

const isNamed = (object: ScannedObject): object is Named => object.named !== undefined

/**
 * Makes what is left in a settled segment files under the same keys, and lets go of the segment. It can stop anywhere:
 * a file and its place in the segment have the same bytes. Returns how many objects it moved; undefined where another
 * server is at it, or the segment is damaged.
 */
export async function moveToFiles(
  segments: SegmentFolder,
  files: FolderObjectStore,
  segment: string,
): Promise<number | undefined> {
  if (!(await segments.claim(segment, await files.readClock()))) return undefined
  const found = await scanSegment(segments.pathOf(segment), segment).catch(unlessMissing)
  // Of what rotted the rest may be worth something to whoever repairs it.
  if (found?.isWhole === false) return undefined
  const named = found?.objects.filter(isNamed) ?? []
  let moved = 0
  for (let done = 0; done < named.length; done += atOnce)
    moved += await moveGroup(segments, files, named.slice(done, done + atOnce))
  await segments.remove(segment)
  return moved
}

async function moveGroup(segments: SegmentFolder, files: FolderObjectStore, group: readonly Named[]): Promise<number> {
  const copies: { staged: StagedObject; key: string }[] = []
  for (const { place, named } of group) {
    const object = await segments.openObject(place)
    if (!object) continue
    const content = readRange(object)
    try {
      copies.push({ staged: await files.stage(content), key: named.key })
    } finally {
      content.destroy()
    }
  }
  await files.intend(copies)
  await files.keep(copies.map(({ staged }) => staged))
  // One that was removed meanwhile must not come back as a file.
  const gone: string[] = []
  for (const { place, named } of group) {
    const object = await segments.openObject(place)
    await object?.close()
    if (!object) gone.push(named.key)
  }
  await files.remove(gone)
  return group.length - gone.length
}
