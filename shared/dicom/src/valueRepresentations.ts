/**
 * Value representations whose length takes four bytes in explicit encodings, after two reserved ones (PS3.5 section
 * 7.1.2).
 */
const longRepresentations: ReadonlySet<string> = new Set([
  'OB',
  'OD',
  'OF',
  'OL',
  'OV',
  'OW',
  'SQ',
  'SV',
  'UC',
  'UN',
  'UR',
  'UT',
  'UV',
])

/** Value representations whose length takes two bytes in explicit encodings (PS3.5 section 7.1.2). */
const shortRepresentations: ReadonlySet<string> = new Set([
  'AE',
  'AS',
  'AT',
  'CS',
  'DA',
  'DS',
  'DT',
  'FD',
  'FL',
  'IS',
  'LO',
  'LT',
  'PN',
  'SH',
  'SL',
  'SS',
  'ST',
  'TM',
  'UI',
  'UL',
  'US',
])

/** Whether an element of this value representation has a four-byte length in explicit encodings. */
export const hasLongLength = (vr: string): boolean => longRepresentations.has(vr)

/** Whether an element of this value representation has a two-byte length in explicit encodings. */
export const hasShortLength = (vr: string): boolean => shortRepresentations.has(vr)

/** Whether PS3.5 section 6.2 knows the value representation. */
export const isValueRepresentation = (vr: string): boolean => hasLongLength(vr) || hasShortLength(vr)
