import { createHash } from 'node:crypto'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import { text } from '../../../dicom/attributes.ts'
import type { Turn } from '../../../core/fairTurns.ts'
import type { DirectoryContent, DirectoryObject } from '../../../dicom/dicomdir.ts'
import type { JsonName } from '../../../dicom/jsonModel.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { areStored } from '../deletion/areStored.ts'
import { getSeriesHeader } from '../scan.repository.ts'
import { createZip, type Zip } from './zipWriter.ts'

/** A zip of series: the same series make the same bytes. */
export interface SeriesZip extends Zip {
  readonly name: string
  readonly etag: string
  /** False once an image of it was deleted. */
  isThere(): Promise<boolean>
}

/** An object of a zip, or of a folder that is handed out. */
export interface ZipRow {
  series_uid: string
  sop_class_uid: string
  sop_instance_uid: string
  transfer_syntax_uid: string
  instance_number: number
  images: number
  object_key: string
  sha256: string
  byte_size: string
}

export type ZipDependencies = Pick<Dependencies, 'db' | 'objects' | 'encryption' | 'reader'>

/** What one file of a zip takes of the memory until the zip is sent: its row, its entry, its record in the DICOMDIR. */
export const bytesPerFile = 2048

/** Old readers cope with folders of this size. */
const filesPerFolder = 1000

export const toEntryPath = (index: number): string[] => [
  'DICOM',
  `D${String(Math.floor(index / filesPerFolder)).padStart(5, '0')}`,
  `I${String(index).padStart(7, '0')}`,
]

export const createReadme = (series: number): string =>
  `This folder holds ${series === 1 ? 'one' : series} series of DICOM images. Open the file DICOMDIR with a DICOM viewer.\r\nNOT FOR CLINICAL USE\r\n`

const directoryTags = [
  tag.PatientName,
  tag.PatientID,
  tag.StudyInstanceUID,
  tag.StudyDate,
  tag.StudyTime,
  tag.StudyDescription,
  tag.StudyID,
  tag.AccessionNumber,
  tag.SeriesNumber,
  tag.Modality,
]

async function readDirectoryContent(
  deps: ZipDependencies,
  organizationId: string,
  seriesUID: string,
  rows: readonly (ZipRow & { readonly index: number })[],
  turn: Turn,
): Promise<DirectoryContent> {
  const packedHeader = await getSeriesHeader(deps, organizationId, seriesUID)
  const header = await deps.reader.runStored('pick', { header: packedHeader, tags: directoryTags }, { turn })
  const readText = (tag: string): string => text(header, tag) ?? ''
  const name = header[tag.PatientName]?.Value?.[0] as JsonName | undefined
  const objects = rows.map((row): DirectoryObject => ({
    path: toEntryPath(row.index),
    sopClassUID: row.sop_class_uid,
    sopInstanceUID: row.sop_instance_uid,
    transferSyntaxUID: row.transfer_syntax_uid,
    instanceNumber: row.instance_number,
    hasImage: row.images > 0,
  }))
  return {
    patientName: name?.Alphabetic ?? '',
    patientID: readText(tag.PatientID),
    studyUID: readText(tag.StudyInstanceUID),
    studyDate: readText(tag.StudyDate),
    studyTime: readText(tag.StudyTime),
    studyDescription: readText(tag.StudyDescription),
    studyID: readText(tag.StudyID),
    accessionNumber: readText(tag.AccessionNumber),
    seriesUID,
    seriesNumber: readText(tag.SeriesNumber),
    modality: readText(tag.Modality),
    objects,
  }
}

/** The DICOMDIR of the objects, by the paths that `toEntryPath` gives to them in their order. */
export async function createDirectory(
  deps: ZipDependencies,
  organizationId: string,
  rows: readonly ZipRow[],
  turn: Turn,
): Promise<Buffer> {
  const bySeries = Map.groupBy(
    rows.map((row, index) => ({ ...row, index })),
    (row) => row.series_uid,
  )
  const series: DirectoryContent[] = []
  for (const [seriesUID, ownRows] of bySeries)
    series.push(await readDirectoryContent(deps, organizationId, seriesUID, ownRows, turn))
  const [first, ...others] = series as [DirectoryContent, ...DirectoryContent[]]
  // A series of ten thousand slices takes a second.
  return Buffer.from(await deps.reader.runStored('dicomdir', { series: [first, ...others] }, { turn }))
}

/** The objects of series, in the order in which they are handed out. */
export async function listObjectsOf(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<ZipRow[]> {
  const { rows } = await sql<ZipRow>`
    select series_uid, sop_class_uid, sop_instance_uid, transfer_syntax_uid, instance_number, images, object_key,
      sha256, byte_size
    from instances where organization_id = ${organizationId} and series_uid = any(${[...seriesUIDs]}::text[])
    order by series_uid, instance_number, sop_instance_uid`.execute(db)
  return rows
}

/**
 * Prepares the zip of series in the turn of whoever gets it; `undefined` when there are no such series. Objects are
 * streamed one after the other, never held.
 */
export async function createSeriesZip(
  deps: ZipDependencies,
  organizationId: string,
  seriesUIDs: readonly string[],
  turn: Turn,
): Promise<SeriesZip | undefined> {
  const rows = await listObjectsOf(deps, organizationId, seriesUIDs)
  if (rows.length === 0) return undefined
  const directory = await createDirectory(deps, organizationId, rows, turn)
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row.sop_instance_uid).update(row.sha256)
  const zip = await createZip([
    { name: 'DICOMDIR', bytes: directory },
    { name: 'README.TXT', bytes: Buffer.from(createReadme(new Set(rows.map((row) => row.series_uid)).size)) },
    ...rows.map((row, index) => ({
      name: toEntryPath(index).join('/'),
      size: Number(row.byte_size),
      read: () => deps.objects.read(row.object_key),
    })),
  ])
  return {
    ...zip,
    name: `scan-${hash.copy().digest('hex').slice(0, 8)}.zip`,
    etag: `"${hash.digest('hex').slice(0, 32)}"`,
    isThere: () => areStored(deps.db, organizationId, rows),
  }
}
