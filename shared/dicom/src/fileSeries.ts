import { Charset } from './charset.ts'
import { formatDate, formatPersonName } from './readable.ts'
import { toParserKey, type Tag } from './tagFormats.ts'
import * as tag from './tags.ts'

/** A file's series by its header, so that people see what is sent before and while it is. */
export interface FileSeries {
  readonly uid: string
  /** Empty where the file does not say it. */
  readonly studyUID: string
  /** As people know it: the description, else kind and number, else the end of its UID. */
  readonly name: string
  /** Name and ID: `Sample, Ruth · P-1`; empty where the file says neither. */
  readonly patient: string
  /** Description and date: `MR Heart · 2026-05-04`; empty where the file says neither. */
  readonly study: string
}

/** What is needed of dicom-parser's data sets. */
export interface ParsedHeader {
  readonly elements: Readonly<Record<string, { readonly dataOffset: number; readonly length: number }>>
  readonly byteArray: Uint8Array
  string(key: string): string | undefined
}
export type ParseHeader = (bytes: Uint8Array, options: { readonly untilTag: string }) => ParsedHeader

const preambleBytes = 128

/**
 * The series of a DICOM file (PS3.10) by its first bytes and the `parseDicom` of dicom-parser; `undefined` when the
 * file is none or its header cannot be read so far.
 */
export function readFileSeries(bytes: Uint8Array, parse: ParseHeader): FileSeries | undefined {
  const isDicom = String.fromCharCode(...bytes.slice(preambleBytes, preambleBytes + 4)) === 'DICM'
  const header = isDicom ? readHeader(bytes, parse) : undefined
  const uid = header && readText(header, tag.SeriesInstanceUID)
  if (!header || !uid) return undefined
  const read = (key: Tag) => readText(header, key)?.trim() ?? ''
  const join = (separator: string, ...texts: readonly string[]) => texts.filter(Boolean).join(separator)
  const [alphabetic = ''] = read(tag.PatientName).split('=')
  return {
    uid,
    studyUID: read(tag.StudyInstanceUID),
    name:
      read(tag.SeriesDescription) || join(' ', read(tag.Modality), read(tag.SeriesNumber)) || `Series ${shorten(uid)}`,
    patient: join(' · ', formatPersonName(alphabetic), read(tag.PatientID)),
    study: join(' · ', read(tag.StudyDescription), formatDate(read(tag.StudyDate)) ?? ''),
  }
}

/** Of a UID the end is its own; the rest is its maker's. */
const shorten = (uid: string): string => (uid.length > 12 ? `…${uid.slice(-8)}` : uid)

/** The elements up to the series number, as far as the bytes go. */
function readHeader(bytes: Uint8Array, parse: ParseHeader): ParsedHeader | undefined {
  try {
    return parse(bytes, { untilTag: toParserKey(tag.SeriesNumber) })
  } catch (cause) {
    // The header goes on behind these bytes, or it lies: the parser throws the elements before. The server will say
    // which.
    return (cause as { readonly dataSet?: ParsedHeader }).dataSet
  }
}

/** The text of an element that lies within the bytes that were read. */
function readText(header: ParsedHeader, key: Tag): string | undefined {
  const element = header.elements[toParserKey(key)]
  if (!element || element.dataOffset + element.length > header.byteArray.length) return undefined
  return readCharset(header).decode(header.byteArray.subarray(element.dataOffset, element.dataOffset + element.length))
}

/** The server says what is wrong with a set that DICOM does not have. */
function readCharset(header: ParsedHeader): Charset {
  try {
    return new Charset(header.string(toParserKey(tag.SpecificCharacterSet)) ?? '')
  } catch {
    return new Charset('')
  }
}
