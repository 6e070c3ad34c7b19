import { Worker } from 'node:worker_threads'
import { tag } from '@dmp/dicom'
import { items } from './attributes.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readImageShape } from './pixelCheck.ts'
import type { PictureJob, PictureResult } from './pictureRenderer.worker.ts'

/** Elements that decide how pixels become an image, by the names that the renderer uses. */
const pictureElements: Record<string, string> = {
  [tag.SamplesPerPixel]: 'SamplesPerPixel',
  [tag.PhotometricInterpretation]: 'PhotometricInterpretation',
  [tag.PlanarConfiguration]: 'PlanarConfiguration',
  [tag.Rows]: 'Rows',
  [tag.Columns]: 'Columns',
  [tag.BitsAllocated]: 'BitsAllocated',
  [tag.BitsStored]: 'BitsStored',
  [tag.HighBit]: 'HighBit',
  [tag.PixelRepresentation]: 'PixelRepresentation',
  [tag.WindowCenter]: 'WindowCenter',
  [tag.WindowWidth]: 'WindowWidth',
  [tag.RescaleIntercept]: 'RescaleIntercept',
  [tag.RescaleSlope]: 'RescaleSlope',
}
const paletteElements: Record<string, string> = {
  [tag.RedPaletteColorLookupTableDescriptor]: 'RedPaletteColorLookupTableDescriptor',
  [tag.GreenPaletteColorLookupTableDescriptor]: 'GreenPaletteColorLookupTableDescriptor',
  [tag.BluePaletteColorLookupTableDescriptor]: 'BluePaletteColorLookupTableDescriptor',
  [tag.RedPaletteColorLookupTableData]: 'RedPaletteColorLookupTableData',
  [tag.GreenPaletteColorLookupTableData]: 'GreenPaletteColorLookupTableData',
  [tag.BluePaletteColorLookupTableData]: 'BluePaletteColorLookupTableData',
}

/** Larger images are not decoded: a thumbnail is not worth the memory. */
const maxPixels = 64 * 2 ** 20
const jobTimeoutMs = 20_000
/** An idle thread is ended after this time, with the memory of its decoders. */
const idleTimeoutMs = 30_000
/** Requests that may wait. Further ones are refused at once, instead of being drawn when their caller has left. */
const maxWaiting = 200

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** The object has no image, or its image cannot be drawn. */
export class NoPicture extends Error {}
/** The queue is full; callers try again later. */
export class TooManyPictures extends Error {}

function toPictureElements(header: JsonDataset, frame: Buffer): Record<string, unknown> {
  const elements: Record<string, unknown> = {
    NumberOfFrames: 1,
    PixelData: [frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.length)],
  }
  // Enhanced objects keep window and rescale in functional groups.
  const sharedGroups = items(header, tag.SharedFunctionalGroupsSequence)[0] ?? {}
  const frameGroups = items(header, tag.PerFrameFunctionalGroupsSequence)[0] ?? {}
  const groups = [tag.FrameVOILUTSequence, tag.PixelValueTransformationSequence].flatMap((tag) => [
    ...items(frameGroups, tag),
    ...items(sharedGroups, tag),
  ])
  for (const [tag, keyword] of Object.entries(pictureElements)) {
    const value = [header, ...groups].map((dataset) => dataset[tag]?.Value).find((candidate) => candidate !== undefined)
    if (value !== undefined) elements[keyword] = value.length === 1 ? value[0] : value
  }
  for (const [tag, keyword] of Object.entries(paletteElements)) {
    const element = header[tag]
    if (element?.Value) elements[keyword] = element.Value
    if (element?.InlineBinary !== undefined) {
      const bytes = Buffer.from(element.InlineBinary, 'base64')
      elements[keyword] = [bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)]
    }
  }
  // A window without width makes a black picture.
  if (!(Number([elements['WindowWidth']].flat()[0]) >= 1)) delete elements['WindowWidth']
  if (elements['WindowWidth'] === undefined) delete elements['WindowCenter']
  return elements
}

/**
 * Draws frames in a thread of its own: decoders run on untrusted bytes, so a decoder that hangs or dies is ended and
 * takes nothing with it. Images are for orientation, not for diagnosis.
 */
export class PictureRenderer {
  #worker: Worker | undefined
  #settle: ((result: PictureResult) => void) | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #idle: NodeJS.Timeout | undefined

  /** A JPEG no larger than `size`, never enlarged; throws `NoPicture` when it cannot be drawn. */
  draw(header: JsonDataset, transferSyntaxUID: string, frame: Buffer, size: PictureSize): Promise<Buffer> {
    const { rows, columns } = readImageShape(header)
    if (rows * columns > maxPixels) return Promise.reject(new NoPicture('The picture is too large to be drawn.'))
    if (this.#waiting >= maxWaiting)
      return Promise.reject(new TooManyPictures('Too many images were requested at once. Please try again.'))
    const job: PictureJob = { elements: toPictureElements(header, frame), transferSyntaxUID, ...size }
    this.#waiting += 1
    const picture = this.#queue.then(() => this.#run(job)).finally(() => (this.#waiting -= 1))
    this.#queue = picture.catch(() => undefined)
    return picture
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    // A request that comes while the thread ends gets a new thread.
    this.#worker = undefined
    this.#settle?.({ problem: 'The drawing thread was stopped.' })
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./pictureRenderer.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const fail = (): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#settle?.({ problem: 'The pixels cannot be decoded.' })
    }
    // A thread that was given up may still send the result of an earlier job.
    worker.on('message', (result: PictureResult) => this.#worker === worker && this.#settle?.(result))
    worker.on('error', fail)
    worker.on('exit', fail)
    // The thread must not keep a finished process alive.
    worker.unref()
    return worker
  }

  async #run(job: PictureJob): Promise<Buffer> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    const pending = Promise.withResolvers<PictureResult>()
    this.#settle = pending.resolve
    const timer = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
      pending.resolve({ problem: 'Drawing took too long.' })
    }, jobTimeoutMs)
    worker.postMessage(job)
    const result = await pending.promise
    clearTimeout(timer)
    this.#settle = undefined
    this.#idle = setTimeout(() => void this.close(), idleTimeoutMs).unref()
    if ('problem' in result) throw new NoPicture(result.problem)
    return Buffer.from(result.image)
  }
}
