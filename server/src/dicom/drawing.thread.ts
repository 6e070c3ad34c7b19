import { createRequire } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { toPlainFrame, type PixelShape } from '@dmp/dicom/pixels'
import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import type * as imaging from 'dcmjs-imaging'
import sharp from 'sharp'
import { decodeFrame, encodeRunLengths } from './decodeFrame.ts'
import type { SampleLayout } from './sampleLayout.ts'
import { maskBytes, type PixelMask } from './pixelMask.ts'

/** How a picture is wanted (PS3.18 section 8.3.5.1); the object decides where this says nothing. */
export interface PictureLook {
  readonly mediaType?: 'image/jpeg' | 'image/png'
  readonly quality?: number
  readonly window?: { readonly center: number; readonly width: number; readonly function: string }
  /** From the lowest value to the highest, whatever the object states. */
  readonly allValues?: boolean
}

export interface PictureJob extends PictureLook {
  /** All that the renderer needs but the pixels; it fits the plain frame. */
  readonly elements: Record<string, unknown>
  /** Of the frame as it is stored. */
  readonly shape: PixelShape
  /** The frame is turned into samples before the renderer sees it. */
  readonly isDecodedFirst?: boolean
  readonly frame: ArrayBuffer
  readonly transferSyntaxUID: string
  readonly width: number
  readonly height: number
}
/** A compressed frame that is wanted as samples instead of a picture. */
export interface DecodingJob {
  readonly layout: SampleLayout
  readonly frame: ArrayBuffer
  readonly transferSyntaxUID: string
  /** Black out parts of the samples and compress them again, as run lengths. */
  readonly mask?: PixelMask
}
export type PictureResult = { readonly image: Uint8Array } | { readonly problem: string }

/** Every other thread comes first where all want the processor: a picture may wait, an answer may not. */
const niceness = 10
// On Linux a priority is the thread's own; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority()))

// CommonJS; its logger would write to the server's output.
const { DicomImage, NativePixelDecoder, log } = createRequire(import.meta.url)('dcmjs-imaging') as typeof imaging
log.setLevel('silent')
sharp.concurrency(1)

const decoders = NativePixelDecoder.initializeAsync()

const usualQuality = 82

const toWindowElements = ({ window, allValues }: PictureLook): Record<string, unknown> => {
  if (allValues) return { WindowCenter: undefined, WindowWidth: undefined }
  return window ? { WindowCenter: window.center, WindowWidth: window.width, VOILUTFunction: window.function } : {}
}

async function draw(job: PictureJob): Promise<PictureResult> {
  await decoders
  const frame = new Uint8Array(job.frame)
  const { bytes, transferSyntaxUID } = job.isDecodedFirst
    ? toPlainFrame(await decodeFrame(frame, job.transferSyntaxUID, job.shape), job.shape, explicitLittleEndianUID)
    : toPlainFrame(frame, job.shape, job.transferSyntaxUID)
  const pixelData = bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
  const image = new DicomImage({ ...job.elements, ...toWindowElements(job), PixelData: [pixelData] }, transferSyntaxUID)
  const { width, height, pixels } = image.render()
  const picture = sharp(new Uint8Array(pixels), { raw: { width, height, channels: 4 } })
  const sized = picture.removeAlpha().resize(job.width, job.height, { fit: 'inside', withoutEnlargement: true })
  const { mediaType, quality = usualQuality } = job
  // Colours at half the resolution would bleed at the edges of small pictures.
  const drawn = mediaType === 'image/png' ? sized.png() : sized.jpeg({ quality, chromaSubsampling: '4:4:4' })
  return { image: await drawn.toBuffer() }
}

async function decode({ frame, transferSyntaxUID, layout, mask }: DecodingJob): Promise<PictureResult> {
  const samples = await decodeFrame(new Uint8Array(frame), transferSyntaxUID, layout)
  if (!mask) return { image: samples }
  maskBytes(mask, samples, 0)
  return { image: await encodeRunLengths(samples, layout) }
}

parentPort?.on('message', (job: PictureJob | DecodingJob) => {
  const work = 'layout' in job ? decode(job) : draw(job)
  work.then(
    (result) => parentPort?.postMessage(result),
    () => parentPort?.postMessage({ problem: 'The pixels cannot be decoded.' } satisfies PictureResult),
  )
})
