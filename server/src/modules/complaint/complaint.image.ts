import sharp, { type Metadata, type Sharp } from 'sharp'
import { limits } from '@dmp/contract'
import type { ComplaintImage } from '@dmp/contract/complaint'
import { Refusal } from '../../core/errors.ts'
import { createSemaphore } from '../../core/semaphore.ts'

/** An image without its metadata (place, device, owner). */
export interface CleanImage {
  filename: string
  mediaType: string
  content: Buffer
}

/** Bounds the memory of decoding; the file size does not, since a small file can hold many pixels. */
const maxPixels = 50_000_000
/** A screenshot of two monitors stays legible at this width. */
const maxSidePixels = 4096
const decodeTimeoutSeconds = 10
/** Decoded images are large: two at a time bound the memory, however many are sent. */
const decoding = createSemaphore(2)

const encoders = {
  jpeg: (picture: Sharp) => picture.jpeg({ quality: 88 }),
  png: (picture: Sharp) => picture.png({ compressionLevel: 9 }),
  webp: (picture: Sharp) => picture.webp({ quality: 88 }),
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

async function encode(content: Buffer, kind: ImageKind): Promise<Buffer> {
  try {
    const picture = openImage(content)
      .autoOrient()
      .resize({ width: maxSidePixels, height: maxSidePixels, fit: 'inside', withoutEnlargement: true })
    return await encoders[kind](picture).toBuffer()
  } catch {
    // The file is truncated, damaged, or starts like an image without being one.
    throw notAnImage('This image cannot be read. Save it again as PNG or JPEG.')
  }
}

/**
 * 5.09: the content decides whether it is an image, not the name or the media type. Encoding it again removes
 * everything but the pixels.
 */
export async function cleanImage(image: ComplaintImage): Promise<CleanImage> {
  const content = parseDataURL(image.fileDataURL)
  const kind = findImageKind(content)
  if (!kind) throw notAnImage()
  return decoding(async () => {
    const { width, height } = await readMetadata(content)
    if (width * height > maxPixels) throw tooLarge('This image has too many pixels. Use at most 50 megapixels.')
    const clean = await encode(content, kind)
    // A photograph saved as PNG may grow when encoded again; as WebP it stays small.
    if (clean.length < limits.complaintImageMaxBytes)
      return { filename: cleanFilename(image.filename, kind), mediaType: `image/${kind}`, content: clean }
    return {
      filename: cleanFilename(image.filename, 'webp'),
      mediaType: 'image/webp',
      content: await encode(content, 'webp'),
    }
  })
}

/** The form in which the page shows an image (3.10). */
export function toDataURL({ mediaType, content }: Pick<CleanImage, 'mediaType' | 'content'>): string {
  return `data:${mediaType};base64,${content.toString('base64')}`
}
