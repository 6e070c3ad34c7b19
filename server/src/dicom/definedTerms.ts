import { tag } from '@dmp/dicom'

/** Values without which nobody can read the object, and which are words that people are called, too (PS3.3). */
const terms: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    [tag.Modality]: 'DOC RTDOSE RTIMAGE RTPLAN RTRECORD RTSTRUCT PLAN',
    [tag.PhotometricInterpretation]:
      'MONOCHROME1 MONOCHROME2 RGB PALETTE_COLOR YBR_FULL YBR_FULL_422 YBR_PARTIAL_420 YBR_ICT YBR_RCT XYB',
    '0040A010': 'CONTAINS HAS_PROPERTIES HAS_OBS_CONTEXT HAS_ACQ_CONTEXT INFERRED_FROM SELECTED_FROM HAS_CONCEPT_MOD',
    '0040A040':
      'TEXT NUM CODE DATE TIME DATETIME UIDREF PNAME COMPOSITE IMAGE WAVEFORM SCOORD SCOORD3D TCOORD TABLE CONTAINER',
    '0040A050': 'SEPARATE CONTINUOUS',
    '0040A491': 'PARTIAL COMPLETE',
    '0040A493': 'VERIFIED UNVERIFIED',
    '00700005': 'PIXEL DISPLAY MATRIX',
    '00700023': 'POINT POLYLINE INTERPOLATED CIRCLE ELLIPSE POLYGON MULTIPOINT',
  }).map(([key, words]) => [key, new Set(words.split(' ').map((word) => word.replaceAll('_', ' ')))]),
)

/** Whether the value of an attribute is a term of the standard, whoever has the same name. */
export function isDefinedTerm(attribute: string, value: string): boolean {
  // Blanks and underlines are told apart by the standard, not by who is called so.
  return terms.get(attribute)?.has(value.trim().replaceAll('_', ' ')) === true
}
