import { frameUrl } from '../dicomweb/client.ts'
import { date, number, numbers, personName, tag, text, type Dataset } from '../dicomweb/dataset.ts'
import { inStackOrder } from './order.ts'
import { withUsableHeader } from './header.ts'

/** A line of the series list, from QIDO-RS. */
export interface SeriesEntry {
  studyUid: string
  uid: string
  modality: string
  description: string
  number: number | undefined
  instanceCount: number | undefined
}

/** One picture of a stack: an instance, or one frame of it. */
export interface Slice {
  imageId: string
  /** Header of the instance; shared by all frames of a multi-frame object. */
  header: Dataset
  frame: number
}

export interface Series extends SeriesEntry {
  patientName: string | undefined
  patientId: string | undefined
  studyDate: string | undefined
  studyDescription: string | undefined
  slices: Slice[]
  /** Pictures a second, when the object says how fast it was taken. */
  frameRate: number | undefined
  /** Instances that have no picture or one that no browser can decode (video). */
  leftOut: number
  /** Bytes that one decoded picture takes. */
  sliceBytes: number
}

const isVideo = (header: Dataset): boolean =>
  /^1\.2\.840\.10008\.1\.2\.4\.10\d$/.test(
    text(header, tag.transferSyntax) ?? text(header, tag.fileTransferSyntax) ?? '',
  )

const hasPicture = (header: Dataset): boolean =>
  (number(header, tag.rows) ?? 0) > 0 && (number(header, tag.columns) ?? 0) > 0

export function seriesEntry(found: Dataset, studyUid: string): SeriesEntry | undefined {
  const uid = text(found, tag.seriesUid)
  if (uid === undefined) return undefined
  return {
    studyUid: text(found, tag.studyUid) ?? studyUid,
    uid,
    modality: text(found, tag.modality) ?? '',
    description: text(found, tag.seriesDescription) ?? '',
    number: number(found, tag.seriesNumber),
    instanceCount: number(found, tag.seriesInstanceCount),
  }
}

export const inListOrder = (entries: readonly SeriesEntry[]): SeriesEntry[] =>
  [...entries].sort(
    (a, b) =>
      (a.number ?? Infinity) - (b.number ?? Infinity) || a.uid.localeCompare(b.uid, undefined, { numeric: true }),
  )

/** Objects without a picture: a study is not opened on one of these, and has no thumbnail of it. */
const withoutPictures = new Set(['SR', 'PR', 'KO', 'SEG', 'RTSTRUCT', 'RTPLAN', 'REG', 'DOC', 'AU', 'ECG'])

export const hasPictures = ({ modality }: SeriesEntry): boolean => !withoutPictures.has(modality)

/** What the series is called where it has no description. */
export const seriesTitle = (entry: SeriesEntry): string =>
  entry.description !== '' ? entry.description : entry.number === undefined ? 'Series' : `Series ${entry.number}`

/** The stack of a series from the headers of its instances. */
export function readSeries(entry: SeriesEntry, headers: readonly Dataset[]): Series {
  const shown = inStackOrder(headers.filter((header) => hasPicture(header) && !isVideo(header)))
  const first = shown[0] ?? headers[0] ?? {}
  const slices = shown.map(withUsableHeader).flatMap((header) => slicesOf(entry, header))
  return {
    ...entry,
    modality: entry.modality || (text(first, tag.modality) ?? ''),
    description: entry.description || (text(first, tag.seriesDescription) ?? ''),
    patientName: personName(first, tag.patientName),
    patientId: text(first, tag.patientId),
    studyDate: date(first, tag.studyDate),
    studyDescription: text(first, tag.studyDescription),
    slices,
    frameRate: frameRate(first),
    leftOut: headers.length - shown.length,
    sliceBytes: sliceBytes(first),
  }
}

function slicesOf(entry: SeriesEntry, header: Dataset): Slice[] {
  const instanceUid = text(header, tag.sopInstanceUid)
  if (instanceUid === undefined) return []
  const count = Math.max(1, Math.floor(number(header, tag.frameCount) ?? 1))
  return Array.from({ length: count }, (_, at) => ({
    imageId: `wadors:${frameUrl(entry.studyUid, entry.uid, instanceUid, at + 1)}`,
    header,
    frame: at + 1,
  }))
}

function frameRate(header: Dataset): number | undefined {
  const asked = number(header, tag.recommendedFrameRate) ?? number(header, tag.cineRate)
  if (asked !== undefined && asked > 0) return asked
  const frameMs = number(header, tag.frameTime)
  return frameMs !== undefined && frameMs > 0 ? 1000 / frameMs : undefined
}

function sliceBytes(header: Dataset): number {
  const [rows = 512] = numbers(header, tag.rows)
  const [columns = 512] = numbers(header, tag.columns)
  const samples = number(header, tag.samplesPerPixel) ?? 1
  // Colour pictures become RGBA, and grey ones with a rescale may become 32-bit floats.
  return rows * columns * (samples === 1 && (number(header, tag.bitsAllocated) ?? 16) <= 8 ? 1 : 4)
}
