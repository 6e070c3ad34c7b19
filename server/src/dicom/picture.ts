import { Worker } from 'node:worker_threads'
import { items } from './attributes.ts'
import type { JsonDataset } from './jsonModel.ts'
import { imageShape } from './pixelCheck.ts'
import type { PictureJob, PictureResult } from './picture.worker.ts'

/** Elements that say how pixels become a picture, by the names that the renderer knows. */
const pictureElements: Record<string, string> = {
  '00280002': 'SamplesPerPixel',
  '00280004': 'PhotometricInterpretation',
  '00280006': 'PlanarConfiguration',
  '00280010': 'Rows',
  '00280011': 'Columns',
  '00280100': 'BitsAllocated',
  '00280101': 'BitsStored',
  '00280102': 'HighBit',
  '00280103': 'PixelRepresentation',
  '00281050': 'WindowCenter',
  '00281051': 'WindowWidth',
  '00281052': 'RescaleIntercept',
  '00281053': 'RescaleSlope',
}
const paletteElements: Record<string, string> = {
  '00281101': 'RedPaletteColorLookupTableDescriptor',
  '00281102': 'GreenPaletteColorLookupTableDescriptor',
  '00281103': 'BluePaletteColorLookupTableDescriptor',
  '00281201': 'RedPaletteColorLookupTableData',
  '00281202': 'GreenPaletteColorLookupTableData',
  '00281203': 'BluePaletteColorLookupTableData',
}

/** Decoding more than this for a picture is refused: a thumbnail is not worth the memory. */
const MAX_PIXELS = 64 * 2 ** 20
const JOB_MS = 20_000
/** A thread that has drawn nothing for so long is ended, with what its decoders hold. */
const IDLE_MS = 30_000
/**
 * Pictures that may wait for their turn; more are refused at once instead of being answered when nobody waits any more.
 */
const WAITING = 200

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** There is nothing to draw, or it cannot be drawn. */
export class NoPicture extends Error {}
/** Try again later. */
export class TooManyPictures extends Error {}

function elementsOf(header: JsonDataset, frame: Buffer): Record<string, unknown> {
  const elements: Record<string, unknown> = {
    NumberOfFrames: 1,
    PixelData: [frame.buffer.slice(frame.byteOffset, frame.byteOffset + frame.length)],
  }
  // Enhanced objects keep window and rescale in functional groups.
  const shared = items(header, '52009229')[0] ?? {}
  const own = items(header, '52009230')[0] ?? {}
  const groups = ['00289132', '00289145'].flatMap((tag) => [...items(own, tag), ...items(shared, tag)])
  for (const [tag, keyword] of Object.entries(pictureElements)) {
    const value = [header, ...groups].map((dataset) => dataset[tag]?.Value).find((found) => found !== undefined)
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
 * Draws frames in a thread of its own: decoders run on bytes of strangers, so one that hangs or dies is ended and takes
 * nothing with it. Pictures are for orientation, not for diagnosis.
 */
export class PictureRoom {
  #worker: Worker | undefined
  #settle: ((result: PictureResult) => void) | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #idle: NodeJS.Timeout | undefined

  /** A JPEG no larger than `size`, never enlarged; throws `NoPicture` when it cannot be drawn. */
  draw(header: JsonDataset, transferSyntaxUID: string, frame: Buffer, size: PictureSize): Promise<Buffer> {
    const { rows, columns } = imageShape(header)
    if (rows * columns > MAX_PIXELS) return Promise.reject(new NoPicture('The picture is too large to be drawn.'))
    if (this.#waiting >= WAITING) return Promise.reject(new TooManyPictures('Too many pictures are asked for at once.'))
    const job: PictureJob = { elements: elementsOf(header, frame), transferSyntaxUID, ...size }
    this.#waiting += 1
    const drawn = this.#queue.then(() => this.#run(job)).finally(() => (this.#waiting -= 1))
    this.#queue = drawn.catch(() => undefined)
    return drawn
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    // A picture that is asked for while the thread ends gets a new one.
    this.#worker = undefined
    this.#settle?.({ problem: 'The thread that draws was ended.' })
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./picture.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const fail = (): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#settle?.({ problem: 'The pixels cannot be decoded.' })
    }
    // What a thread that was given up still says is the answer to a picture before.
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
    const done = Promise.withResolvers<PictureResult>()
    this.#settle = done.resolve
    const timer = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
      done.resolve({ problem: 'Drawing took too long.' })
    }, JOB_MS)
    worker.postMessage(job)
    const result = await done.promise
    clearTimeout(timer)
    this.#settle = undefined
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    if ('problem' in result) throw new NoPicture(result.problem)
    return Buffer.from(result.image)
  }
}
