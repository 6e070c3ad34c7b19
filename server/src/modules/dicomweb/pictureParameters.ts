import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'
import type { PictureLook } from '../../dicom/drawing.thread.ts'
import type { PictureSize } from '../../dicom/pictureFrame.ts'

/** Parameters of rendered pictures (PS3.18 section 8.3.5.1): taken, or refused with 400. */

const maxSidePixels = 2048
const functions: Readonly<Record<string, string>> = {
  linear: 'LINEAR',
  'linear-exact': 'LINEAR_EXACT',
  sigmoid: 'SIGMOID',
}

const invalid = (sentence: string): Refusal => new Refusal(400, 'INVALID', sentence)
const textOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = (request.query as Record<string, unknown>)[name]
  return value === undefined ? undefined : String(value)
}

export function parseViewport(request: FastifyRequest): PictureSize {
  const text = textOf(request, 'viewport')
  if (text === undefined) return { width: maxSidePixels, height: maxSidePixels }
  const match = /^(\d{1,4}),(\d{1,4})$/.exec(text)
  const [width, height] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || width < 1 || height < 1 || width > maxSidePixels || height > maxSidePixels)
    throw invalid(`The viewport must be width,height, each at most ${maxSidePixels}. Parts of an image are not drawn.`)
  return { width, height }
}

function parseWindow(text: string): NonNullable<PictureLook['window']> {
  const [center = '', width = '', name = '', ...more] = text.split(',')
  const isNumber = (part: string): boolean => /^-?\d{1,9}(?:\.\d{1,9})?$/.test(part)
  const voiFunction = functions[name.toLowerCase()]
  if (!isNumber(center) || !isNumber(width) || Number(width) < 1 || voiFunction === undefined || more.length > 0)
    throw invalid(
      'The window must be center,width,function: a number, one from 1, and linear, linear-exact or sigmoid.',
    )
  return { center: Number(center), width: Number(width), function: voiFunction }
}

export function parseLook(request: FastifyRequest, mediaType: string): PictureLook {
  const window = textOf(request, 'window')
  const quality = textOf(request, 'quality')
  if (quality !== undefined && (mediaType !== 'image/jpeg' || !/^(?:[1-9]\d?|100)$/.test(quality)))
    throw invalid('The quality must be a whole number from 1 to 100, and only image/jpeg has one.')
  return {
    mediaType: mediaType === 'image/png' ? 'image/png' : 'image/jpeg',
    ...(quality !== undefined && { quality: Number(quality) }),
    ...(window !== undefined && { window: parseWindow(window) }),
  }
}
