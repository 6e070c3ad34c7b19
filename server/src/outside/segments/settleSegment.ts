import { truncate } from 'node:fs/promises'
import type { ScannedSegment } from './scanSegment.ts'
import type { SegmentFolder } from './segmentFolder.ts'

/**
 * Ends what a dead server left open in its segment: objects stay that have a row, all others are overwritten, and what
 * lies behind those that stay is cut off.
 */
export async function settleSegment(
  segments: SegmentFolder,
  segment: string,
  { objects, settledTo, lostKeys, size }: ScannedSegment,
  areKept: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<{ kept: number; discarded: number }> {
  const doubtful = objects.filter(({ place }) => place.offset >= settledTo)
  const keys = doubtful.flatMap(({ named }) => named?.key ?? [])
  const keptKeys = keys.length > 0 ? await areKept(keys) : new Set<string>()
  const gone = new Set(doubtful.filter(({ named }) => !named || !keptKeys.has(named.key)))
  await segments.kill([...gone].map(({ place }) => place))
  // Behind the last object that stays, and its name, is what nobody was told of.
  const end = Math.max(0, ...objects.filter((one) => !gone.has(one)).map(({ named }) => named?.end ?? size))
  if (end < size && lostKeys.length === 0) await truncate(segments.pathOf(segment), end)
  await segments.settle(segment)
  return { kept: keptKeys.size, discarded: gone.size }
}
