import { transferSyntax } from './uids.ts'

/** How the bytes of an object are written (PS3.5 section 10). */
export interface TransferSyntax {
  readonly uid: string
  readonly isExplicit: boolean
  readonly isBigEndian: boolean
  readonly isDeflated: boolean
  /** Pixel data are compressed frames in fragments. */
  readonly isEncapsulated: boolean
  /** Media type of a single compressed frame (PS3.18 table 8.7.3-5). */
  readonly mediaType: string
}

const native = {
  isExplicit: true,
  isBigEndian: false,
  isDeflated: false,
  isEncapsulated: false,
  mediaType: 'application/octet-stream',
}
const encapsulated = (mediaType: string) => ({ ...native, isEncapsulated: true, mediaType })

const kinds: Record<string, Omit<TransferSyntax, 'uid'>> = {
  [transferSyntax.implicitLittleEndian]: { ...native, isExplicit: false },
  [transferSyntax.explicitLittleEndian]: native,
  [transferSyntax.deflatedExplicitLittleEndian]: { ...native, isDeflated: true },
  [transferSyntax.explicitBigEndian]: { ...native, isBigEndian: true },
  [transferSyntax.rleLossless]: encapsulated('image/dicom-rle'),
  ...Object.fromEntries(
    ['50', '51', '57', '70'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('image/jpeg')]),
  ),
  ...Object.fromEntries(['80', '81'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('image/jls')])),
  ...Object.fromEntries(['90', '91'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('image/jp2')])),
  ...Object.fromEntries(['92', '93'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('image/jpx')])),
  ...Object.fromEntries(
    ['100', '100.1', '101', '101.1'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('video/mpeg2')]),
  ),
  ...Object.fromEntries(
    ['102', '102.1', '103', '103.1', '104', '104.1', '105', '105.1', '106', '106.1'].map((end) => [
      `1.2.840.10008.1.2.4.${end}`,
      encapsulated('video/mp4'),
    ]),
  ),
  ...Object.fromEntries(['107', '108'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('video/H265')])),
  ...Object.fromEntries(['110', '111', '112'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('image/jxl')])),
  ...Object.fromEntries(['201', '202', '203'].map((end) => [`1.2.840.10008.1.2.4.${end}`, encapsulated('image/jphc')])),
}

const transferSyntaxes = new Map(Object.entries(kinds).map(([uid, kind]) => [uid, { uid, ...kind }]))

/** `undefined` for private, retired and unknown transfer syntaxes, which are refused. */
export const findTransferSyntax = (uid: string): TransferSyntax | undefined => transferSyntaxes.get(uid)

export const listTransferSyntaxes = (): TransferSyntax[] => [...transferSyntaxes.values()]

export const explicitLittleEndianUID = transferSyntax.explicitLittleEndian
