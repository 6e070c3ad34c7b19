import sharp, { type Metadata, type Sharp } from 'sharp'
import { limits } from '@dmp/contract'
import type { ComplaintImage } from '@dmp/contract/complaint'
import { Refusal } from '../../core/errors.ts'
import type { Context } from '../../core/context.ts'
import { FairTurns } from '../../core/fairTurns.ts'
import { penaltyPoints, type Penalties } from '../../core/penalties.ts'

/** An image without its metadata (place, device, owner). */
export interface CleanImage {
  filename: string
  mediaType: string
  content: Buffer
}

/**
 * Bounds the memory of decoding; the file size does not, since a small file can hold many pixels. Cameras and three
 * large monitors side by side have fewer.
 */
const maxPixels = 25_000_000
/** A screenshot of two monitors stays legible at this width. */
const maxSidePixels = 4096
/** As many as a large monitor has: what is kept of a picture, and drawn, takes at most some 200 MB and two seconds. */
const maxDrawnPixels = 3840 * 2160
const decodeTimeoutSeconds = 10
/**
 * Drawn pictures are large, and drawing takes threads that files need as well: two at a time bound both, however many
 * are sent. One customer has one of them, so that the next customer's is drawn at once; what waits holds a file.
 */
const drawingTurns = {
  atOnce: 2,
  perCustomer: 1,
  perPerson: 1,
  waitingPerPerson: 2,
  waitingPerCustomer: 8,
  waitingInAll: 32,
} as const

const encoders = {
  jpeg: (picture: Sharp) => picture.flatten({ background: 'white' }).jpeg({ quality: 88 }),
  png: (picture: Sharp) => picture.png({ compressionLevel: 6 }),
  webp: (picture: Sharp) => picture.webp({ quality: 88, effort: 2 }),
} as const
type ImageKind = keyof typeof encoders

const extensions: Record<ImageKind, string> = { jpeg: 'jpg', png: 'png', webp: 'webp' }

const notAnImage = (message = 'Only image files are allowed.') =>
  new Refusal(415, 'NOT_AN_IMAGE', message, [{ path: 'imageData', message }])
const tooLarge = (message = 'File size must be less than 2MB.') =>
  new Refusal(413, 'IMAGE_TOO_LARGE', message, [{ path: 'imageData', message }])

/** Checked before decoding: only these four formats reach a decoder. A GIF becomes a PNG of its first frame. */
function findImageKind(content: Buffer): ImageKind | undefined {
  const startsWith = (hex: string, at = 0) => content.subarray(at, at + hex.length / 2).toString('hex') === hex
  if (startsWith('ffd8ff')) return 'jpeg'
  if (startsWith('89504e470d0a1a0a')) return 'png'
  if (startsWith('474946383761') || startsWith('474946383961')) return 'png'
  if (startsWith('52494646') && startsWith('57454250', 8)) return 'webp'
  return undefined
}

function parseDataURL(dataURL: string): Buffer {
  const comma = dataURL.indexOf(',')
  if (comma < 0 || !dataURL.slice(0, comma).endsWith(';base64')) throw notAnImage()
  const text = dataURL.slice(comma + 1)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw notAnImage()
  const content = Buffer.from(text, 'base64')
  if (content.length > limits.complaintImageMaxBytes) throw tooLarge()
  return content
}

/**
 * Removes folders, control characters and marks that reverse the reading direction. The extension follows from the
 * content.
 */
function cleanFilename(name: string, kind: ImageKind): string {
  const basename = name.split(/[/\\]/).at(-1) ?? ''
  const stem = basename
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\.[^.]{0,10}$/u, '')
    .trim()
  return `${[...(stem || 'image')].slice(0, 200).join('')}.${extensions[kind]}`
}

function openImage(content: Buffer): Sharp {
  return sharp(content, { limitInputPixels: maxPixels, pages: 1, failOn: 'error', sequentialRead: true }).timeout({
    seconds: decodeTimeoutSeconds,
  })
}

async function readMetadata(content: Buffer): Promise<Metadata> {
  try {
    return await sharp(content, { limitInputPixels: false, pages: 1, failOn: 'error' }).metadata()
  } catch {
    throw notAnImage()
  }
}

/** Draws the picture anew; throws when the file is truncated, damaged, or starts like an image without being one. */
async function draw(content: Buffer, kind: ImageKind, maxSide: number): Promise<Buffer> {
  const picture = openImage(content)
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
  return encoders[kind](picture).toBuffer()
}

async function drawSmall(content: Buffer, kind: ImageKind, maxSide: number): Promise<[ImageKind, Buffer]> {
  const drawn = await draw(content, kind, maxSide)
  if (drawn.length < limits.complaintImageMaxBytes) return [kind, drawn]
  // A photograph saved as PNG may grow when it is drawn again; as JPEG it stays small.
  return ['jpeg', await draw(drawn, 'jpeg', maxSide)]
}

function toMaxSide({ width, height }: Metadata): number {
  const scale = Math.min(1, Math.sqrt(maxDrawnPixels / (width * height)))
  return Math.min(maxSidePixels, Math.floor(Math.max(width, height) * scale))
}

export type CleanImages = (image: ComplaintImage, context: Context) => Promise<CleanImage>

/**
 * 5.09: the content decides whether it is an image, not the name or the media type. Drawing it again removes everything
 * but the pixels. Pictures are drawn in fair turns, and pictures that are drawn in vain cost their sender points (P18).
 */
export function createImageCleaning(penalties: Pick<Penalties, 'charge'>): CleanImages {
  const turns = new FairTurns(drawingTurns)
  return async (image, { viewer, request }) => {
    const content = parseDataURL(image.fileDataURL)
    const sentKind = findImageKind(content)
    if (!sentKind) throw notAnImage()
    return turns.run({ customer: viewer.organizationId, person: viewer.userId }, async () => {
      const metadata = await readMetadata(content)
      if (metadata.width * metadata.height > maxPixels)
        throw tooLarge('This image has too many pixels. Use at most 25 megapixels.')
      try {
        const [kind, drawn] = await drawSmall(content, sentKind, toMaxSide(metadata))
        return { filename: cleanFilename(image.filename, kind), mediaType: `image/${kind}`, content: drawn }
      } catch {
        penalties.charge(viewer, request.ip, penaltyPoints.uselessReading)
        throw notAnImage('This image cannot be read. Save it again as PNG or JPEG.')
      }
    })
  }
}

/** The form in which the page shows an image (3.10). */
export function toDataURL({ mediaType, content }: Pick<CleanImage, 'mediaType' | 'content'>): string {
  return `data:${mediaType};base64,${content.toString('base64')}`
}
