import { Charset, formatDate, formatPersonName, tag, toParserKey } from '@dmp/dicom'
import dicomParser, { type DataSet } from 'dicom-parser'

/** A file's series by its header, read in the page so that progress can be shown by series before anything is sent. */
export interface FileSeries {
  readonly uid: string
  /** As people know it: the description, else kind and number, else the end of its UID. */
  readonly name: string
  /** Name and ID: `Sample, Ruth · P-1`; empty where the file says neither. */
  readonly patient: string
  /** Description and date: `MR Heart · 2026-05-04`; empty where the file says neither. */
  readonly study: string
}

/** Headers of pictures are shorter; a file whose header is longer is shown by its folder. */
const headBytes = 65_536
const preambleBytes = 128

/** The series of a DICOM file (PS3.10); `undefined` when the file is none or its header cannot be read so far. */
export async function parseSeries(file: Blob): Promise<FileSeries | undefined> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  const isDicom = String.fromCharCode(...bytes.slice(preambleBytes, preambleBytes + 4)) === 'DICM'
  const dataSet = isDicom ? readHeader(bytes) : undefined
  const uid = dataSet && readText(dataSet, tag.SeriesInstanceUID)
  if (!dataSet || !uid) return undefined
  const read = (key: string) => readText(dataSet, key)?.trim() ?? ''
  const join = (separator: string, ...texts: readonly string[]) => texts.filter(Boolean).join(separator)
  const [alphabetic = ''] = read(tag.PatientName).split('=')
  return {
    uid,
    name:
      read(tag.SeriesDescription) || join(' ', read(tag.Modality), read(tag.SeriesNumber)) || `Series ${shorten(uid)}`,
    patient: join(' · ', formatPersonName(alphabetic), read(tag.PatientID)),
    study: join(' · ', read(tag.StudyDescription), formatDate(read(tag.StudyDate)) ?? ''),
  }
}

/** Of a UID the end is its own; the rest is its maker's. */
const shorten = (uid: string): string => (uid.length > 12 ? `…${uid.slice(-8)}` : uid)

/** The elements up to the series number, as far as the bytes go. */
function readHeader(bytes: Uint8Array): DataSet | undefined {
  try {
    return dicomParser.parseDicom(bytes, { untilTag: toParserKey(tag.SeriesNumber) })
  } catch (cause) {
    // The header goes on behind these bytes, or it lies: the parser throws the elements before. The server will say
    // which.
    return (cause as { readonly dataSet?: DataSet }).dataSet
  }
}

/** The text of an element that lies within the bytes that were read. */
function readText(dataSet: DataSet, key: string): string | undefined {
  const element = dataSet.elements[toParserKey(key)]
  if (!element || element.dataOffset + element.length > dataSet.byteArray.length) return undefined
  const bytes = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length)
  return readCharset(dataSet).decode(bytes as Uint8Array)
}

/** The server says what is wrong with a set that DICOM does not have. */
function readCharset(dataSet: DataSet): Charset {
  try {
    return new Charset(dataSet.string(toParserKey(tag.SpecificCharacterSet)) ?? '')
  } catch {
    return new Charset('')
  }
}
