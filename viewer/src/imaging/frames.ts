import { cache, getShouldUseCPURendering, imageLoader, metaData, type Types } from '@cornerstonejs/core'
import { createImage, getPixelData } from '@cornerstonejs/dicom-image-loader'
import { transferSyntax } from '@dmp/dicom'
import { isDecodedFirst, toPlainFrame, type PixelShape } from '@dmp/dicom/pixels'
import { ViewerFailure } from '../failure.ts'
import type { Slice } from '../study/series.ts'

const samples = 'multipart/related; type=application/octet-stream'
/** As it is stored; without the last word the server decodes it. */
const stored = `${samples}; transfer-syntax=*`

type LoadOptions = Parameters<typeof createImage>[3]

/** The shape of each frame that may be asked for; Cornerstone asks by the id alone. */
const shapes = new Map<string, PixelShape>()

/** From now on these frames can be loaded. */
export function addFrames(slices: readonly Slice[]): void {
  for (const { imageId, shape } of slices) shapes.set(imageId, shape)
}

/** Frames are made plain before Cornerstone decodes them: pixels are read as the server reads them for thumbnails. */
export function registerFrameLoader(): void {
  imageLoader.registerImageLoader('wadors', (imageId, options) => ({
    promise: load(imageId, { ...(options as LoadOptions) }),
  }))
}

async function load(imageId: string, options: LoadOptions): Promise<Types.IImage> {
  const shape = shapes.get(imageId)
  if (shape === undefined) throw new Error('This frame belongs to no open series.')
  const mediaType = isDecodedFirst(shape) ? samples : stored
  const { pixelData, contentType } = (await getPixelData(imageId.slice('wadors:'.length), imageId, mediaType, {})) as {
    pixelData: Uint8Array<ArrayBuffer>
    contentType: string
  }
  const uid = /transfer-syntax="?([\d.]+)/.exec(contentType)?.[1] ?? transferSyntax.explicitLittleEndian
  const { bytes, transferSyntaxUID } = toPlainFrame(pixelData, shape, uid)
  return (await createImage(imageId, bytes as Uint8Array<ArrayBuffer>, transferSyntaxUID, options)) as Types.IImage
}

/** The options under which Cornerstone's stack asks for its pictures: others would put unusable ones into its cache. */
export const pictureOptions = (isInView: boolean) => ({
  useRGBA: getShouldUseCPURendering(),
  priority: isInView ? -5 : 0,
  requestType: isInView ? 'interaction' : 'prefetch',
})

/** Some decoders return an empty picture instead of failing: it is taken out of the cache again. */
export function demandWhole(imageId: string, image: Types.IImage, rows: number | undefined): void {
  if (image.getPixelData().length >= image.rows * image.columns && image.rows === rows) return
  cache.removeImageLoadObject(imageId, { force: true })
  throw new ViewerFailure('damaged')
}

/** Whether its header says in which window it is to be shown. */
export function hasWindow(imageId: string): boolean {
  const { windowWidth } = metaData.get('voiLutModule', imageId) as { windowWidth?: number[] }
  return (windowWidth?.length ?? 0) > 0
}
