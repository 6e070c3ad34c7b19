import { transferSyntax } from '@dmp/dicom'

/** What can be said of compressed frames without a decoder. */

/** The attributes that say how the samples of a frame lie. */
export interface SampleLayout {
  readonly rows: number
  readonly columns: number
  readonly samples: number
  readonly bitsAllocated: number
  readonly bitsStored: number
  readonly isSigned: boolean
  readonly photometric: string
}

const of4 = (...ends: string[]) => ends.map((end) => `1.2.840.10008.1.2.4.${end}`)
export const jpegFamily = of4('50', '51', '57', '70')
export const jpegLsFamily = of4('80', '81')
export const jpeg2000Family = of4('90', '91', '201', '202', '203')
export const jpegXlFamily = of4('110', '111', '112')

const decodable = new Set<string>([
  transferSyntax.rleLossless,
  ...jpegFamily,
  ...jpegLsFamily,
  ...jpeg2000Family,
  ...jpegXlFamily,
])

/** Whether the frames of a transfer syntax can be turned into samples; videos cannot. */
export const canDecode = (transferSyntaxUID: string): boolean => decodable.has(transferSyntaxUID)

/** The colours of decoded samples: the transforms of JPEG and JPEG 2000 are undone with the compression. */
export function findDecodedPhotometric(transferSyntaxUID: string, photometric: string): string {
  if (photometric === 'YBR_RCT' || photometric === 'YBR_ICT') return 'RGB'
  return jpegFamily.includes(transferSyntaxUID) && photometric.startsWith('YBR') ? 'RGB' : photometric
}
