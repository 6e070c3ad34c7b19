import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createInflateRaw, inflateRaw } from 'node:zlib'
import { createBufferSource, createFileSource, readRanges, type ByteSource } from './byteSource.ts'
import type { DicomLimits } from './limits.ts'
import { DicomRefusal } from './refusal.ts'

/** The object with its data set inflated; what stands before `start` stays as it is. */
export type Inflate = (source: ByteSource, start: number, limits: DicomLimits) => Promise<ByteSource>

const tooLarge = (): DicomRefusal => new DicomRefusal('DEFLATE', 'The object is too large when inflated.')
const damaged = (): DicomRefusal => new DicomRefusal('DEFLATE', 'The deflated part is damaged or ends too early.')

/** How large the data set may become. */
function maxInflatedBytes({ size }: ByteSource, limits: DicomLimits): number {
  if (size > limits.inflatedBytes) throw new DicomRefusal('TOO_LARGE', 'The deflated object is too large.')
  return Math.min(limits.inflatedBytes, Math.max(limits.freelyInflatedBytes, size * limits.inflationRatio))
}

/** For objects that are trusted or few: all of it is held in memory. */
export const inflateInMemory: Inflate = async (source, start, limits) => {
  const maxOutputLength = maxInflatedBytes(source, limits)
  const bytes = await source.read(0, source.size)
  try {
    const dataset = await promisify(inflateRaw)(bytes.subarray(start), { maxOutputLength })
    return createBufferSource(Buffer.concat([bytes.subarray(0, start), dataset]))
  } catch (cause) {
    throw (cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged()
  }
}

/** Into a file at `path`, a piece at a time. */
export async function inflateToFile(
  source: ByteSource,
  start: number,
  limits: DicomLimits,
  path: string,
): Promise<void> {
  const maxBytes = maxInflatedBytes(source, limits)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  file.write(await source.read(0, start))
  let bytes = 0
  const bounded = async function* (inflated: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of inflated) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge()
      yield chunk
    }
  }
  const deflated = Readable.from(readRanges(source, [{ offset: start, length: source.size - start }]), {
    objectMode: false,
  })
  await pipeline(deflated, createInflateRaw({ chunkSize: 2 ** 18 }), bounded, file).catch((cause: unknown) => {
    // Errors of zlib have codes of their own; a full disk is no fault of the object.
    throw String((cause as { code?: unknown }).code).startsWith('Z_') ? damaged() : cause
  })
}

/** Into a file beside, which `context` removes. */
export const inflateBeside =
  (context: { createScratchFile(): string; closeAfterwards(close: () => Promise<void>): void }): Inflate =>
  async (source, start, limits) => {
    const path = context.createScratchFile()
    await inflateToFile(source, start, limits, path)
    const handle = await open(path, 'r')
    context.closeAfterwards(() => handle.close())
    return createFileSource(handle, (await handle.stat()).size)
  }
