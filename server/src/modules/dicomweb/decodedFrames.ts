import type { Turn } from '../../core/fairTurns.ts'
import { readRanges, type ByteSource } from '../../dicom/byteSource.ts'
import { decodedFrameBytes, readSampleLayout, type ExplicitForm } from '../../dicom/explicitForm.ts'
import { swapBytes, type FrameTable } from '../../dicom/frames.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { NoPicture } from '../../dicom/noPicture.ts'
import { readCompressedFrame } from '../../dicom/pictureFrame.ts'
import type { OpenObject } from '../../outside/objectStore.ts'
import type { PictureAsker, PictureDependencies } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoredInstance } from './storedInstances.ts'

/** Compressed frames as samples: decoded in the threads and in the fair turns of pictures, one at a time. */

type DecodingDependencies = Pick<Dependencies, 'stored' | 'reader'> & PictureDependencies

interface Frames {
  readonly instance: StoredInstance
  readonly table: FrameTable
  readonly attributes: JsonDataset
  readonly object: ByteSource
}

/** One frame as samples. Throws `NoPicture` when it cannot be decoded. */
export function decodeFrame(
  { pictures }: DecodingDependencies,
  { instance, table, attributes, object }: Frames,
  frame: number,
  asker: PictureAsker,
): Promise<Buffer> {
  const layout = readSampleLayout(attributes)
  return pictures.draw({
    ...asker,
    key: JSON.stringify([instance.object_key, frame, 'samples']),
    bytes: decodedFrameBytes(layout),
    load: async () => {
      const bytes = await readCompressedFrame(object, table, attributes, frame)
      const own = Uint8Array.from(bytes)
      return { layout, frame: own.buffer, transferSyntaxUID: table.transferSyntaxUID }
    },
  })
}

/** All frames, one after the other, padded to an even length as the value of an element is. */
export async function* decodeFrames(
  deps: DecodingDependencies,
  frames: Frames,
  asker: PictureAsker,
  first?: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for (let frame = 1; frame <= frames.table.frames; frame += 1) {
    const samples = (frame === 1 && first) || (await decodeFrame(deps, frames, frame, asker))
    bytes += samples.length
    yield samples
  }
  if (bytes % 2 === 1) yield Buffer.alloc(1)
}

/** An object in explicit little endian, opened; `bytes` reads it and closes it. */
export interface TranscodedObject {
  bytes(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

/** Throws `NoPicture` when the object cannot be written in explicit little endian, as far as its header tells. */
export async function openTranscoded(
  deps: DecodingDependencies,
  instance: StoredInstance,
  turn: Turn,
  asker: PictureAsker,
): Promise<TranscodedObject> {
  const object = await deps.stored.open(instance, turn)
  try {
    const form = await deps.reader.runStored('explicit', {}, { turn, source: object })
    if ('problem' in form) throw new NoPicture(form.problem)
    const { attributes } = await deps.stored.frames(instance, turn)
    return {
      bytes: () => writeTranscoded(deps, { instance, attributes, object }, form, asker),
      close: () => object.close(),
    }
  } catch (cause) {
    await object.close()
    throw cause
  }
}

async function* writeTranscoded(
  deps: DecodingDependencies,
  { object, ...frames }: Omit<Frames, 'table' | 'object'> & { object: OpenObject },
  { start, pixels }: ExplicitForm,
  asker: PictureAsker,
): AsyncGenerator<Uint8Array> {
  try {
    yield start
    if (pixels?.kind === 'native') {
      const native = readRanges(object, [pixels.range])
      yield* pixels.swapBytes === 0 ? native : swapBytes(native, pixels.swapBytes)
    } else if (pixels) yield* decodeFrames(deps, { ...frames, object, table: pixels.table }, asker)
  } finally {
    await object.close()
  }
}
