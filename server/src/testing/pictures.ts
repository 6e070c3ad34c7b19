import sharp from 'sharp'
import type { ComplaintImage } from '@dmp/contract/complaint'

/** A real picture as the form sends it (3.10). */
export const asImage = (content: Buffer, mediaType: string, filename = 'screen.png'): ComplaintImage => ({
  filename,
  filesize: content.length,
  fileDataURL: `data:${mediaType};base64,${content.toString('base64')}`,
})

export const aPicture = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 160 } } })

export const aLogo = async (width = 600, height = 200): Promise<ComplaintImage> =>
  asImage(await aPicture(width, height).png().toBuffer(), 'image/png', 'logo.png')

export const decodeDataURL = (dataURL: string): Buffer => Buffer.from(dataURL.slice(dataURL.indexOf(',') + 1), 'base64')
