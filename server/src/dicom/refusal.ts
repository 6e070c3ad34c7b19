import { failureReason } from '@dmp/dicom'

/** Why an object was refused; the summary of an upload and the STOW-RS answer carry it. */
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

/** Failure reasons of the store answer (PS3.18 section I.2.2). */
const failureCodes: Partial<Record<RefusalReason, number>> = {
  TRANSFER_SYNTAX: failureReason.referencedTransferSyntaxNotSupported,
  TOO_LARGE: failureReason.outOfResources,
  UID: failureReason.dataSetDoesNotMatchSOPClass,
  PIXEL_DATA: failureReason.dataSetDoesNotMatchSOPClass,
  DICOMDIR: failureReason.sopClassNotSupported,
}

/**
 * The object is not taken in. The sentence never repeats content of the object, so it may be shown and logged (P23).
 */
export class DicomRefusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, sentence: string) {
    super(sentence)
    this.name = 'DicomRefusal'
    this.reason = reason
  }

  get failureCode(): number {
    return failureCodes[this.reason] ?? failureReason.cannotUnderstand
  }
}
