import { tag } from '@dmp/dicom'
import { date, items, name, text, texts, time } from './attributes.ts'
import type { JsonDataset } from './jsonModel.ts'

export interface ReportLine {
  readonly depth: number
  readonly name: string
  readonly value: string
}

export interface ReadReport {
  readonly software: string | null
  readonly title: string | null
  readonly isVerified: boolean | null
  readonly mimeType: string | null
  readonly lines: ReportLine[]
  readonly isShortened: boolean
}

/** What a page shows; the whole is in the file. */
const maxLines = 1_000
const maxChars = 200_000

const meaning = (item: JsonDataset, sequence: string): string | null =>
  text(items(item, sequence)[0] ?? {}, tag.CodeMeaning)

/** The value of a content item, by its value type (PS3.3 section C.17.3). */
function toValue(item: JsonDataset): string {
  const measured = items(item, tag.MeasuredValueSequence)[0] ?? {}
  const parts = [
    text(item, tag.TextValue),
    meaning(item, tag.ConceptCodeSequence),
    [texts(measured, tag.NumericValue), meaning(measured, tag.MeasurementUnitsCodeSequence)].filter(Boolean).join(' '),
    name(item, tag.PersonName),
    date(item, tag.DateTime) ?? date(item, tag.Date),
    time(item, tag.Time),
    text(item, tag.UID),
    // Images by what they are: nobody reads a UID.
    items(item, tag.ReferencedSOPSequence).length > 0 ? text(item, tag.ValueType) : null,
  ]
  return parts.filter(Boolean).join(', ')
}

/** By Verification Flag (PS3.3 section C.17.2); any other word says nothing. */
function findVerified(dataset: JsonDataset): boolean | null {
  const flag = text(dataset, tag.VerificationFlag)?.trim()
  if (flag === 'VERIFIED') return true
  return flag === 'UNVERIFIED' ? false : null
}

/** A structured report as an outline that people can read, and what says where a result came from. */
export function readReport(dataset: JsonDataset): ReadReport {
  const lines: ReportLine[] = []
  let chars = 0
  let isShortened = false
  const add = (item: JsonDataset, depth: number): void => {
    if (isShortened) return
    const line = { depth, name: meaning(item, tag.ConceptNameCodeSequence) ?? '', value: toValue(item) }
    chars += line.name.length + line.value.length
    if (lines.length >= maxLines || chars > maxChars) {
      isShortened = true
      return
    }
    if (line.name !== '' || line.value !== '') lines.push(line)
    for (const child of items(item, tag.ContentSequence)) add(child, depth + 1)
  }
  for (const item of items(dataset, tag.ContentSequence)) add(item, 0)
  return {
    software: texts(dataset, tag.SoftwareVersions),
    title: text(dataset, tag.DocumentTitle) ?? meaning(dataset, tag.ConceptNameCodeSequence),
    isVerified: findVerified(dataset),
    mimeType: text(dataset, tag.MIMETypeOfEncapsulatedDocument),
    lines,
    isShortened,
  }
}
