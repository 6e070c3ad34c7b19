import { tag } from '@dmp/dicom'
import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { number, text } from './attributes.ts'
import { canDecode } from './sampleLayout.ts'
import type { JsonDataset } from './jsonModel.ts'
import { readImageShape } from './pixelCheck.ts'

/**
 * Which pictures a de-identified copy holds back until somebody has looked (docs/conformance.md has the rule in
 * words).
 */
export const holdReasons = ['Stated', 'Screenshot', 'KindOfImage', 'Colour', 'Video'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Kinds of objects by their SOP class: secondary captures, ultrasound, angiography, fluoroscopy, visible light. */
const classesWithText = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.(?:7|3|6|12\.[12]|77\.1)(?:\.|$)/
const modalitiesWithText = new Set(
  'US SC OT ES XC GM SM RF XA IVUS OP DOC BDUS DG EPS HC HD IVOCT OPM OPT PX IO TG'.split(' '),
)
/** Modalities that make grey pictures: one in colour is a print or a photograph of a screen. */
const greyModalities = new Set('CT MR PT NM CR DX MG RG'.split(' '))
/** For the conformance statement. */
export const listModalitiesWithText = (): string[] => [...modalitiesWithText].sort()
export const listGreyModalities = (): string[] => [...greyModalities].sort()

/** Screens, printouts, dose reports, and the protocol pages of CT scanners; not `PROTON_DENSITY`. */
const screenWords = /SCREEN|CAPTURE|SAVE|PRINT|REPORT|DOSE[ _]INFO|(?:^|[ _])PROT(?:OCOL)?$/
/** Scanned documents, scanned films and digitized video (PS3.3 C.8.6.1). */
const photographs = new Set(['DV', 'DF', 'SD', 'SI', 'DRW'])

const listTexts = (header: JsonDataset, key: string): string[] =>
  (header[key]?.Value ?? []).flatMap((value) => (typeof value === 'string' ? [value.trim().toUpperCase()] : []))

/** Why the picture is held back; undefined where it is not. Objects without a picture never are. */
export function findHoldReason(header: JsonDataset, transferSyntaxUID: string): HoldReason | undefined {
  if ((number(header, tag.Rows) ?? 0) === 0) return undefined
  const stated = text(header, tag.BurnedInAnnotation)?.trim().toUpperCase()
  if (stated === 'YES') return 'Stated'
  if (findTransferSyntax(transferSyntaxUID)?.mediaType.startsWith('video/')) return 'Video'
  const isScreenshot =
    listTexts(header, tag.ImageType).some((word) => screenWords.test(word)) ||
    photographs.has(text(header, tag.ConversionType)?.trim().toUpperCase() ?? '')
  // Programs write NO into screenshots that nobody has looked at.
  if (isScreenshot) return 'Screenshot'
  if (stated === 'NO') return undefined
  const modality = text(header, tag.Modality)?.trim().toUpperCase() ?? ''
  if (classesWithText.test(text(header, tag.SOPClassUID) ?? '') || modalitiesWithText.has(modality))
    return 'KindOfImage'
  const isColoured =
    (number(header, tag.SamplesPerPixel) ?? 1) > 1 ||
    text(header, tag.PhotometricInterpretation)?.trim() === 'PALETTE COLOR'
  return isColoured && greyModalities.has(modality) ? 'Colour' : undefined
}

/** A picture that is held back, for whoever looks at it. */
export interface HeldFacts {
  readonly reason: HoldReason
  readonly rows: number
  readonly columns: number
  readonly frames: number
  /** Whether the server can black out parts of it; nobody can of a video. */
  readonly canMask: boolean
}

export function findHeldFacts(header: JsonDataset, transferSyntaxUID: string): HeldFacts | undefined {
  const reason = findHoldReason(header, transferSyntaxUID)
  if (reason === undefined) return undefined
  const { rows, columns, frames } = readImageShape(header)
  const isNative = findTransferSyntax(transferSyntaxUID)?.isEncapsulated === false
  return { reason, rows, columns, frames, canMask: isNative || canDecode(transferSyntaxUID) }
}
