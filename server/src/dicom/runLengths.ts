import type { FragmentStream } from './fragmentStream.ts'
import { UnreadableStream, type Comment } from './streamComments.ts'

const headBytes = 64
const mostSegments = 15

/** Bytes behind the last run of each segment, and between the segments (PS3.5 annex G): no decoder reads them. */
export async function findBehindRuns(stream: FragmentStream, comments: Comment[], pixels: number): Promise<void> {
  for (const [index, start] of stream.starts.entries()) {
    const end = stream.starts[index + 1] ?? stream.size
    if (end > start) await walkFrame(stream, start, end, comments, pixels)
  }
}

async function walkFrame(
  stream: FragmentStream,
  start: number,
  end: number,
  comments: Comment[],
  pixels: number,
): Promise<void> {
  const head = await stream.read(start, headBytes)
  const segments = head.length === headBytes ? head.readUInt32LE() : 0
  if (segments < 1 || segments > mostSegments) throw new UnreadableStream()
  const offsets = Array.from({ length: segments }, (_, index) => start + head.readUInt32LE(4 + index * 4))
  if (offsets.some((offset, index) => offset < (offsets[index - 1] ?? start + headBytes) || offset > end))
    throw new UnreadableStream()
  comments.push({ start: start + 4 + segments * 4, end: start + headBytes, fill: 0 })
  comments.push({ start: start + headBytes, end: offsets[0] ?? end, fill: 0 })
  for (const [index, offset] of offsets.entries()) {
    const next = offsets[index + 1] ?? end
    comments.push({ start: await skipRuns(stream, offset, next, pixels), end: next, fill: 0 })
  }
}

/** Where the runs that make so many bytes end. */
async function skipRuns(stream: FragmentStream, start: number, end: number, pixels: number): Promise<number> {
  let at = start
  for (let made = 0; made < pixels && at < end;) {
    const bytes = await stream.read(at, Math.min(2 ** 16, end - at))
    let position = 0
    while (position < bytes.length && made < pixels) {
      const control = bytes[position] ?? 0
      // Above 128 the next byte is repeated, below so many follow, and 128 itself means nothing.
      if (control !== 128) made += control > 128 ? 257 - control : control + 1
      position += control > 128 ? 2 : control === 128 ? 1 : control + 2
    }
    at += position
  }
  return Math.min(at, end)
}
