import { tag } from '@dmp/dicom'
import { elementBytes, itemBytes, textValue, type Encoding, type RawElement } from '@dmp/dimse/elementWriter'
import type { Decision } from './rewrite.ts'

/** The dummy date as the product shows dates; it stands for "no date". */
export const dummyDate = '1900-01-01'
const dummyTexts: Readonly<Record<string, string>> = {
  DA: '19000101',
  TM: '000000',
  DT: '19000101000000',
  PN: 'Anonymous',
  AS: '000Y',
  DS: '0',
  IS: '0',
  UR: 'urn:anonymous',
  AE: 'ANONYMIZED',
  CS: 'ANONYMIZED',
  SH: 'ANONYMIZED',
  LO: 'ANONYMIZED',
  ST: 'ANONYMIZED',
  LT: 'ANONYMIZED',
  UC: 'ANONYMIZED',
  UT: 'ANONYMIZED',
}

/** A value that says nothing. Sequences and binary values have none that would be neutral. */
export function toDummy(vr: string): RawElement | undefined {
  const dummyText = dummyTexts[vr]
  return dummyText === undefined ? undefined : textValue(vr, dummyText)
}

export const toDummyOrEmpty = (vr: string): Decision => toDummy(vr) ?? 'empty'

/** A code of PS3.16 as the one item of a sequence of codes. */
export type Code = readonly [value: string, meaning: string]

export function toCodeSequence(codes: readonly Code[], encoding: Encoding): RawElement {
  const items = codes.map(([value, meaning]) =>
    itemBytes(
      Buffer.concat([
        elementBytes(tag.CodeValue, textValue('SH', value), encoding),
        elementBytes(tag.CodingSchemeDesignator, textValue('SH', 'DCM'), encoding),
        elementBytes(tag.CodeMeaning, textValue('LO', meaning), encoding),
      ]),
      encoding.isBigEndian,
    ),
  )
  return { vr: 'SQ', value: Buffer.concat(items) }
}
