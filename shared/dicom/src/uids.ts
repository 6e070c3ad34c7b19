/** Characters of a UID (PS3.5 section 9.1). */
export const maxUidLength = 64

/**
 * Whether a text has the shape of a UID (PS3.5 section 9.1). Components with leading zeros pass, although the standard
 * forbids them: devices write them, and the objects are whole.
 */
export const isUid = (value: string): boolean => value.length <= maxUidLength && /^\d+(\.\d+)+$/.test(value)

/** Below this root DICOM registers kinds of things, never a thing of its own (PS3.6 annex A). */
export const dicomRoot = '1.2.840.10008.'

/** Transfer syntaxes by name (PS3.6 table A-1). */
export const transferSyntax = {
  implicitLittleEndian: '1.2.840.10008.1.2',
  explicitLittleEndian: '1.2.840.10008.1.2.1',
  deflatedExplicitLittleEndian: '1.2.840.10008.1.2.1.99',
  explicitBigEndian: '1.2.840.10008.1.2.2',
  jpegBaseline: '1.2.840.10008.1.2.4.50',
  jpegExtended: '1.2.840.10008.1.2.4.51',
  jpegLossless: '1.2.840.10008.1.2.4.57',
  jpegLosslessFirstOrder: '1.2.840.10008.1.2.4.70',
  jpegLsLossless: '1.2.840.10008.1.2.4.80',
  jpegLsNearLossless: '1.2.840.10008.1.2.4.81',
  jpeg2000Lossless: '1.2.840.10008.1.2.4.90',
  jpeg2000: '1.2.840.10008.1.2.4.91',
  rleLossless: '1.2.840.10008.1.2.5',
} as const

/** SOP classes by name (PS3.6 table A-1). */
export const sopClass = {
  mediaStorageDirectory: '1.2.840.10008.1.3.10',
  ctImage: '1.2.840.10008.5.1.4.1.1.2',
  mrImage: '1.2.840.10008.5.1.4.1.1.4',
  positronEmissionTomographyImage: '1.2.840.10008.5.1.4.1.1.128',
  encapsulatedPdf: '1.2.840.10008.5.1.4.1.1.104.1',
  segmentation: '1.2.840.10008.5.1.4.1.1.66.4',
} as const
