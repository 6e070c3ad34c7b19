/** Why an object was refused; every reason stands in the summary of an upload and in the STOW-RS answer. */
export type RefusalReason =
  | 'NOT_DICOM'
  | 'PREAMBLE'
  | 'META'
  | 'TRANSFER_SYNTAX'
  | 'TRUNCATED'
  | 'LENGTH'
  | 'VR'
  | 'DEPTH'
  | 'DUPLICATE_ELEMENT'
  | 'SEQUENCE'
  | 'DEFLATE'
  | 'TOO_LARGE'
  | 'UID'
  | 'CHARACTER_SET'
  | 'PIXEL_DATA'
  | 'UNREADABLE'
  | 'DICOMDIR'

/** PS3.18 table 10.5.3-1 (0xC122 is "Referenced Transfer Syntax Not Supported", 0xA700 "Out of Resources"). */
const failureCodes: Partial<Record<RefusalReason, number>> = {
  TRANSFER_SYNTAX: 0xc122,
  TOO_LARGE: 0xa700,
  UID: 0xa900,
  PIXEL_DATA: 0xa900,
  DICOMDIR: 0x0122,
}
const CANNOT_UNDERSTAND = 0xc000

/**
 * An object that is not taken in. The sentence never repeats content of the object, so it may be shown and logged
 * (P23).
 */
export class DicomRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, sentence: string) {
    super(sentence)
    this.name = 'DicomRefusal'
    this.reason = reason
  }

  get failureCode(): number {
    return failureCodes[this.reason] ?? CANNOT_UNDERSTAND
  }
}

/** Ceilings on what one object may cost (P12). */
export const dicomLimits = {
  /** Everything before the pixel data; an RT structure set or a large enhanced multi-frame header is a few MB. */
  headerBytes: 32 * 2 ** 20,
  inflatedBytes: 128 * 2 ** 20,
  elements: 300_000,
  depth: 32,
  fragments: 500_000,
  uidChars: 64,
} as const
