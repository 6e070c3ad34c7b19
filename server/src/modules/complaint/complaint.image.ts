import sharp, { type Metadata, type Sharp } from 'sharp'
import { limits } from '@dmp/contract'
import type { ComplaintImage } from '@dmp/contract/complaint'
import { Refusal } from '../../core/errors.ts'
import { createSemaphore } from '../../core/semaphore.ts'

/** What is kept and shown: the picture alone, without the metadata (place, device, owner) that it came with. */
export interface CleanImage {
  filename: string
  mediaType: string
  content: Buffer
}

/** About a 50 megapixel photo; what a flood of pixels unpacks to is bounded by this, not by the size of its file. */
const MAX_PIXELS = 50_000_000
/** Wide enough to read a screenshot of two monitors. */
const MAX_SIDE = 4096
const DECODE_SECONDS = 10
/** Unpacked pictures are large: two at a time bound the memory, whoever sends how many. */
const inTurn = createSemaphore(2)

const encoders = {
  jpeg: (picture: Sharp) => picture.jpeg({ quality: 88 }),
  png: (picture: Sharp) => picture.png({ compressionLevel: 9 }),
  webp: (picture: Sharp) => picture.webp({ quality: 88 }),
} as const
type Kind = keyof typeof encoders

const endings: Record<Kind, string> = { jpeg: 'jpg', png: 'png', webp: 'webp' }

const notAnImage = (message = 'Only image files are allowed.') =>
  new Refusal(415, 'NOT_AN_IMAGE', message, [{ path: 'imageData', message }])
const tooLarge = (message = 'File size must be less than 2MB.') =>
  new Refusal(413, 'IMAGE_TOO_LARGE', message, [{ path: 'imageData', message }])

/** Judged before any decoder sees it: only these four are handed to one. An animation is kept as its first picture. */
function kindOf(content: Buffer): Kind | undefined {
  const starts = (hex: string, at = 0) => content.subarray(at, at + hex.length / 2).toString('hex') === hex
  if (starts('ffd8ff')) return 'jpeg'
  if (starts('89504e470d0a1a0a')) return 'png'
  if (starts('474946383761') || starts('474946383961')) return 'png'
  if (starts('52494646') && starts('57454250', 8)) return 'webp'
  return undefined
}

function decoded(dataURL: string): Buffer {
  const comma = dataURL.indexOf(',')
  if (comma < 0 || !dataURL.slice(0, comma).endsWith(';base64')) throw notAnImage()
  const text = dataURL.slice(comma + 1)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw notAnImage()
  const content = Buffer.from(text, 'base64')
  if (content.length >= limits.complaintImageMaxBytes) throw tooLarge()
  return content
}

/**
 * The name without folders, control characters and marks that turn the reading direction; its ending says what the
 * picture really is.
 */
function cleanName(name: string, kind: Kind): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const stem = last
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\.[^.]{0,10}$/u, '')
    .trim()
  return `${[...(stem || 'image')].slice(0, 200).join('')}.${endings[kind]}`
}

function open(content: Buffer): Sharp {
  return sharp(content, { limitInputPixels: MAX_PIXELS, pages: 1, failOn: 'error', sequentialRead: true }).timeout({
    seconds: DECODE_SECONDS,
  })
}

async function measured(content: Buffer): Promise<Metadata> {
  try {
    return await sharp(content, { limitInputPixels: false, pages: 1, failOn: 'error' }).metadata()
  } catch {
    throw notAnImage()
  }
}

async function encoded(content: Buffer, kind: Kind): Promise<Buffer> {
  try {
    const picture = open(content)
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    return await encoders[kind](picture).toBuffer()
  } catch {
    // Cut off, damaged, or only the first bytes of a picture in front of something else.
    throw notAnImage('This image cannot be read. Please save it again as PNG or JPEG.')
  }
}

/**
 * 5.09: an image by its content, not by its name or its label; decoded and encoded again, so that nothing but the
 * picture is kept.
 */
export async function cleanImage(image: ComplaintImage): Promise<CleanImage> {
  const content = decoded(image.fileDataURL)
  const kind = kindOf(content)
  if (!kind) throw notAnImage()
  return inTurn(async () => {
    const { width, height } = await measured(content)
    if (width * height > MAX_PIXELS) throw tooLarge('This image has too many pixels. Please use at most 50 megapixels.')
    const clean = await encoded(content, kind)
    // Drawings shrink as PNG and photographs do not: a photograph saved as PNG may grow when written again.
    if (clean.length < limits.complaintImageMaxBytes)
      return { filename: cleanName(image.filename, kind), mediaType: `image/${kind}`, content: clean }
    return {
      filename: cleanName(image.filename, 'webp'),
      mediaType: 'image/webp',
      content: await encoded(content, 'webp'),
    }
  })
}

/** As the page shows it (3.10). */
export function asDataURL({ mediaType, content }: Pick<CleanImage, 'mediaType' | 'content'>): string {
  return `data:${mediaType};base64,${content.toString('base64')}`
}
