import { tag, toParserKey } from '@dmp/dicom'
import dicomParser, { type DataSet } from 'dicom-parser'

/** A file's series by its header, read in the page so that progress can be shown by series before anything is sent. */
export interface FileSeries {
  readonly uid: string
  /** As people know it: the description, else kind and number. */
  readonly name: string
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
  const kind = [tag.Modality, tag.SeriesNumber].map((key) => readText(dataSet, key)).filter(Boolean)
  return { uid, name: readText(dataSet, tag.SeriesDescription) || kind.join(' ') || uid }
}

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
  // Every character set of DICOM agrees on ASCII; anything else waits for the server, which knows them all.
  return dataSet.string(toParserKey(key))
}
