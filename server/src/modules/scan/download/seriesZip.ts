import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import { sql } from 'kysely'
import yazl from 'yazl'
import type { Db } from '../../../db/client.ts'
import { text } from '../../../dicom/attributes.ts'
import { dicomdir, type DirectoryObject } from '../../../dicom/dicomdir.ts'
import type { JsonName } from '../../../dicom/jsonModel.ts'
import type { ObjectStore } from '../../../outside/objectStore.ts'
import { unpackedHeader } from '../intake/instanceRows.ts'

/** A zip of one series that can be sent from any byte: the same series makes the same bytes. */
export interface SeriesZip {
  readonly name: string
  readonly size: number
  readonly etag: string
  /** Bytes from `start` on. */
  open(start: number): Readable
}

interface ZipRow {
  sop_class_uid: string
  sop_instance_uid: string
  transfer_syntax_uid: string
  instance_number: number
  images: number
  object_key: string
  sha256: string
  byte_size: string
}

/** One time for all entries: a zip that is asked for again is the same zip. */
const ENTRY_TIME = new Date(Date.UTC(2000, 0, 1))
/** Folders of a medium hold so many files that old readers cope. */
const PER_FOLDER = 1000

const pathOf = (index: number): string[] => [
  'DICOM',
  `D${String(Math.floor(index / PER_FOLDER)).padStart(5, '0')}`,
  `I${String(index).padStart(7, '0')}`,
]

const readme =
  'This folder holds one series of DICOM images. Open the file DICOMDIR with a DICOM viewer.\r\nNOT FOR CLINICAL USE\r\n'

async function directoryOf(
  db: Db,
  organizationId: string,
  seriesUID: string,
  rows: readonly ZipRow[],
): Promise<Buffer> {
  const first = await db
    .selectFrom('instances')
    .select('header')
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .orderBy('instance_number')
    .orderBy('sop_instance_uid')
    .limit(1)
    .executeTakeFirstOrThrow()
  const header = unpackedHeader(first.header)
  const of = (tag: string): string => text(header, tag) ?? ''
  const name = header['00100010']?.Value?.[0] as JsonName | undefined
  const objects = rows.map((row, index): DirectoryObject => ({
    path: pathOf(index),
    sopClassUID: row.sop_class_uid,
    sopInstanceUID: row.sop_instance_uid,
    transferSyntaxUID: row.transfer_syntax_uid,
    instanceNumber: row.instance_number,
    hasImage: row.images > 0,
  }))
  return dicomdir({
    patientName: name?.Alphabetic ?? '',
    patientID: of('00100020'),
    studyUID: of('0020000D'),
    studyDate: of('00080020'),
    studyTime: of('00080030'),
    studyDescription: of('00081030'),
    studyID: of('00200010'),
    accessionNumber: of('00080050'),
    seriesUID,
    seriesNumber: of('00200011'),
    modality: of('00080060'),
    objects,
  })
}

/** Skips what the receiver has already. */
function from(start: number): Transform {
  let left = start
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const skipped = Math.min(left, chunk.length)
      left -= skipped
      done(null, skipped === chunk.length ? undefined : chunk.subarray(skipped))
    },
  })
}

async function handOver(
  opening: Promise<Readable>,
  done: (error: unknown, stream: NodeJS.ReadableStream) => void,
): Promise<void> {
  try {
    done(null, await opening)
  } catch (cause) {
    done(cause, undefined as never)
  }
}

/** `undefined` when the series does not exist. Objects are streamed one after the other, never held. */
export async function seriesZip(
  db: Db,
  objects: ObjectStore,
  organizationId: string,
  seriesUID: string,
): Promise<SeriesZip | undefined> {
  const { rows } = await sql<ZipRow>`
    select sop_class_uid, sop_instance_uid, transfer_syntax_uid, instance_number, images, object_key, sha256, byte_size
    from instances
    where organization_id = ${organizationId} and series_uid = ${seriesUID} order by instance_number,
    sop_instance_uid`.execute(db)
  if (rows.length === 0) return undefined
  const directory = await directoryOf(db, organizationId, seriesUID, rows)
  /** `read` opens an entry when its turn comes. */
  const assemble = (read: (key: string) => Promise<Readable>): { zip: yazl.ZipFile; size: Promise<number> } => {
    const zip = new yazl.ZipFile()
    const entry = { compress: false, mtime: ENTRY_TIME, mode: 0o100644 }
    zip.addBuffer(directory, 'DICOMDIR', entry)
    zip.addBuffer(Buffer.from(readme), 'README.TXT', entry)
    rows.forEach((row, index) => {
      zip.addReadStreamLazy(
        pathOf(index).join('/'),
        { ...entry, size: Number(row.byte_size) },
        (done) => void handOver(read(row.object_key), done),
      )
    })
    return {
      zip,
      size: new Promise<number>((resolve) =>
        zip.end({ forceZip64Format: false, comment: '' }, (...known: unknown[]) => resolve(Number(known[0]))),
      ),
    }
  }
  // Nothing is read for knowing the size.
  const size = await assemble(() => new Promise(() => undefined)).size
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row.sop_instance_uid).update(row.sha256)
  return {
    name: `scan-${hash.copy().digest('hex').slice(0, 8)}.zip`,
    size,
    etag: `"${hash.digest('hex').slice(0, 32)}"`,
    open(start) {
      let current: Readable | undefined
      const { zip } = assemble(async (key) => (current = await objects.read(key)))
      const output = zip.outputStream as Readable
      const sent = output.pipe(from(start))
      // An object that cannot be read ends the download instead of leaving it hanging; a receiver who leaves closes the
      // object.
      const fail = (cause: Error): void => void sent.destroy(cause)
      zip.on('error', fail)
      output.on('error', fail)
      sent.on('close', () => current?.destroy())
      return sent
    },
  }
}
