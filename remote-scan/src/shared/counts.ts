import type { ScanRow } from '@dmp/contract/scan'
import { formatNumber } from '@dmp/kit'

// Whole phrases, because languages count differently: translators get "1 image" and "{count} images".

const wholeImagesText = (count: number): string => (count === 1 ? '1 image' : `${formatNumber(count)} images`)
const framesText = (count: number): string => (count === 1 ? '1 frame' : `${formatNumber(count)} frames`)

/** Images as DICOM counts them: instances, each of a frame or many. */
export interface ImageCount {
  /** Absent or null where a server counts frames alone: then an image is a frame. */
  readonly imageInstances?: number | null | undefined
  readonly frames: number | null
}

/** How many images, and their frames where there are more of them: `3 images · 120 frames`. */
export function imagesText({ frames, imageInstances = frames }: ImageCount): string {
  if (frames === null || imageInstances === null) return ''
  return frames === imageInstances
    ? wholeImagesText(frames)
    : `${wholeImagesText(imageInstances)} · ${framesText(frames)}`
}

/** Of a series in a list, whose `noOfImages` is the specification's word for its frames. */
export const countOfRow = ({ noOfImages, imageInstances }: ScanRow): ImageCount => ({
  frames: noOfImages,
  imageInstances: imageInstances ?? noOfImages,
})

/** Of what the server counts by `images`, which are its frames. */
export const countOf = ({ images, imageInstances }: CountedImages): ImageCount => ({
  frames: images,
  imageInstances: imageInstances ?? images,
})

export interface CountedImages {
  readonly images: number
  readonly imageInstances?: number | undefined
}

export const sumImages = (counts: readonly ImageCount[]): ImageCount => ({
  frames: counts.reduce((sum, { frames }) => sum + (frames ?? 0), 0),
  imageInstances: counts.reduce((sum, { frames, imageInstances }) => sum + (imageInstances ?? frames ?? 0), 0),
})

export const objectsText = (count: number): string => (count === 1 ? '1 object' : `${formatNumber(count)} objects`)
export const picturesText = (count: number): string => (count === 1 ? '1 picture' : `${formatNumber(count)} pictures`)
export const scansText = (count: number): string => (count === 1 ? '1 scan' : `${formatNumber(count)} scans`)
export const seriesText = (count: number): string => (count === 1 ? '1 series' : `${formatNumber(count)} series`)
export const studiesText = (count: number): string => (count === 1 ? '1 study' : `${formatNumber(count)} studies`)
export const daysText = (count: number): string => (count === 1 ? '1 day' : `${formatNumber(count)} days`)
export const timesText = (count: number): string => (count === 1 ? '1 time' : `${formatNumber(count)} times`)
export const rectanglesText = (count: number): string =>
  count === 1 ? '1 rectangle' : `${formatNumber(count)} rectangles`

/** So many of all. */
export const partText = (part: number, all: number): string => `${part} of ${all}`

export const timesOfText = (count: number, all: number): string => `${count} of ${all} times`

export const noDescriptionText = (): string => 'No description'
