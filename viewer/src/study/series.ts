import { frameUrl } from '../dicomweb/client.ts'
import { tag, type JsonDataset } from '@dmp/dicom'
import { readPixelShape, type PixelShape } from '@dmp/dicom/pixels'
import { number, numbers, text, transferSyntaxOf } from '../dicomweb/dataset.ts'
import type { FailureKind } from '../failure.ts'
import { inStackOrder } from './order.ts'
import { withUsableHeader } from './header.ts'
import { readSubject, type Subject } from './subject.ts'

/** A line of the series list, from QIDO-RS. */
export interface SeriesEntry {
  readonly studyUid: string
  readonly uid: string
  readonly modality: string
  readonly description: string
  readonly number: number | undefined
  readonly instanceCount: number | undefined
  /** As the object has it; empty where it says none. */
  readonly bodyPart: string
  /** L, R, or empty. */
  readonly laterality: string
}

/** One picture of a stack: an instance, or one frame of it. */
export interface Slice {
  readonly imageId: string
  /** Header of the instance; shared by all frames of a multi-frame object. */
  readonly header: JsonDataset
  /** Of the frame as the server sends it. */
  readonly shape: PixelShape
  readonly frame: number
}

export interface Series extends SeriesEntry, Subject {
  readonly slices: readonly Slice[]
  /** Pictures a second, when the object says how fast it was taken. */
  readonly frameRate: number | undefined
  /** Instances that have no picture or one that no browser can decode (video). */
  readonly leftOut: number
  /** Bytes that one decoded picture takes. */
  readonly sliceBytes: number
}

const isVideo = (header: JsonDataset): boolean => /^1\.2\.840\.10008\.1\.2\.4\.10\d/.test(transferSyntaxOf(header))

/** Why an object has no picture here; undefined where it has one. */
export function whyNotShown(header: JsonDataset): FailureKind | undefined {
  const { rows, columns, samples, bitsAllocated } = readPixelShape(header)
  if (rows < 1 || columns < 1) return 'no-images'
  if (isVideo(header)) return 'video'
  if (header[tag.FloatPixelData] ?? header[tag.DoubleFloatPixelData]) return 'decimals'
  // An archive may leave the bits out.
  const isUsual = (samples === 1 || samples === 3) && [0, 1, 8, 16, 32].includes(bitsAllocated)
  return isUsual ? undefined : 'unsupported'
}

export function seriesEntry(dataSet: JsonDataset, studyUid: string): SeriesEntry | undefined {
  const uid = text(dataSet, tag.SeriesInstanceUID)
  if (uid === undefined) return undefined
  return {
    studyUid: text(dataSet, tag.StudyInstanceUID) ?? studyUid,
    uid,
    modality: text(dataSet, tag.Modality) ?? '',
    description: text(dataSet, tag.SeriesDescription) ?? '',
    number: number(dataSet, tag.SeriesNumber),
    instanceCount: number(dataSet, tag.NumberOfSeriesRelatedInstances),
    bodyPart: text(dataSet, tag.BodyPartExamined) ?? '',
    laterality: text(dataSet, tag.Laterality) ?? '',
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

/** A series opens on its middle slice, which is the one that tells most. */
export const startOf = ({ slices }: Pick<Series, 'slices'>): number => Math.floor(slices.length / 2)

/** Where one is in a stack, counted from 1. */
export const sliceText = (number: number, count: number): string => `Slice ${number} of ${count}`

/** The name of a series without a description. */
export const seriesTitle = (entry: SeriesEntry): string =>
  entry.description !== '' ? entry.description : entry.number === undefined ? 'Series' : `Series ${entry.number}`

/** The stack of a series from the headers of its instances. */
export function readSeries(entry: SeriesEntry, headers: readonly JsonDataset[]): Series {
  const pictureHeaders = inStackOrder(headers.filter((header) => whyNotShown(header) === undefined))
  const first = pictureHeaders[0] ?? headers[0] ?? {}
  const slices = pictureHeaders.flatMap((header) => toSlices(entry, header))
  return {
    ...entry,
    modality: entry.modality || (text(first, tag.Modality) ?? ''),
    description: entry.description || (text(first, tag.SeriesDescription) ?? ''),
    ...readSubject(first),
    slices,
    frameRate: frameRate(first),
    leftOut: headers.length - pictureHeaders.length,
    sliceBytes: sliceBytes(first),
  }
}

function toSlices(entry: SeriesEntry, stored: JsonDataset): Slice[] {
  const instanceUid = text(stored, tag.SOPInstanceUID)
  if (instanceUid === undefined) return []
  // Cornerstone looks into the modality without looking whether there is one.
  const modality = text(stored, tag.Modality) ?? (entry.modality || 'OT')
  const header = { ...withUsableHeader(stored), [tag.Modality]: { vr: 'CS', Value: [modality] } }
  const shape = readPixelShape(stored)
  const count = Math.max(1, Math.floor(number(header, tag.NumberOfFrames) ?? 1))
  return Array.from({ length: count }, (_, at) => ({
    imageId: `wadors:${frameUrl(entry.studyUid, entry.uid, instanceUid, at + 1)}`,
    header,
    shape,
    frame: at + 1,
  }))
}

function frameRate(header: JsonDataset): number | undefined {
  const framesPerSecond = number(header, tag.RecommendedDisplayFrameRate) ?? number(header, tag.CineRate)
  if (framesPerSecond !== undefined && framesPerSecond > 0) return framesPerSecond
  const frameMs = number(header, tag.FrameTime)
  return frameMs !== undefined && frameMs > 0 ? 1000 / frameMs : undefined
}

function sliceBytes(header: JsonDataset): number {
  const [rows = 512] = numbers(header, tag.Rows)
  const [columns = 512] = numbers(header, tag.Columns)
  const samples = number(header, tag.SamplesPerPixel) ?? 1
  // Colour pictures become RGBA, and grey ones with a rescale may become 32-bit floats.
  return rows * columns * (samples === 1 && (number(header, tag.BitsAllocated) ?? 16) <= 8 ? 1 : 4)
}
