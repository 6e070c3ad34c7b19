import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { frameLayout, readFrame } from '../../../dicom/frames.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { readPart10 } from '../../../dicom/part10.ts'
import { NoPicture, type PictureRoom, type PictureSize } from '../../../dicom/picture.ts'
import { EXPLICIT_LITTLE_ENDIAN } from '../../../dicom/transferSyntaxes.ts'
import type { ObjectStore } from '../../../outside/objectStore.ts'
import { unpackedHeader } from '../intake/instanceRows.ts'

export const thumbnailSize: PictureSize = { width: 160, height: 160 }

export interface PictureParts {
  readonly db: Db
  readonly objects: ObjectStore
  readonly pictures: PictureRoom
}

export interface Drawable {
  readonly object_key: string
  readonly transfer_syntax_uid: string
  readonly header: JsonDataset
}

/** One frame as JPEG; the middle one unless told. Throws `NoPicture` when there is nothing to draw. */
export async function drawInstance(
  { objects, pictures }: PictureParts,
  one: Drawable,
  size: PictureSize,
  frame?: number,
): Promise<Buffer> {
  const object = await objects.open(one.object_key)
  try {
    const part10 = await readPart10(object)
    const layout = await frameLayout(part10, one.header)
    const bytes =
      layout.frames === 0 ? undefined : await readFrame(part10.source, layout, frame ?? Math.ceil(layout.frames / 2))
    if (!bytes || bytes.length === 0) throw new NoPicture('There is no such frame.')
    // Frames are read as little-endian; what the object is written in matters only when it is compressed.
    const syntax = part10.transferSyntax.isEncapsulated ? one.transfer_syntax_uid : EXPLICIT_LITTLE_ENDIAN
    return await pictures.draw(one.header, syntax, bytes, size)
  } finally {
    await object.close()
  }
}

interface Middle {
  sop_instance_uid: string
  object_key: string
  transfer_syntax_uid: string
  header: Uint8Array
  drawn: Uint8Array | null
}

/**
 * The small picture of a series: its middle slice, drawn once and kept until the middle moves. `undefined` when nothing
 * can be drawn.
 */
export async function seriesThumbnail(
  deps: PictureParts,
  organizationId: string,
  seriesUID: string,
): Promise<Uint8Array | undefined> {
  const { rows } = await sql<Middle>`
    select i.sop_instance_uid, i.object_key, i.transfer_syntax_uid, i.header, t.image as drawn from instances i
    left join thumbnails t on t.organization_id = i.organization_id and t.series_uid = i.series_uid and
    t.sop_instance_uid = i.sop_instance_uid
    where i.organization_id = ${organizationId} and i.series_uid = ${seriesUID}
    order by i.instance_number, i.sop_instance_uid
    offset (select greatest(0, (instances - 1) / 2) from series where organization_id = ${organizationId} and series_uid
    = ${seriesUID}) limit 1`.execute(deps.db)
  const middle = rows[0]
  if (!middle) return undefined
  if (middle.drawn) return middle.drawn
  try {
    const image = await drawInstance(deps, { ...middle, header: unpackedHeader(middle.header) }, thumbnailSize)
    await keep(deps.db, organizationId, seriesUID, middle.sop_instance_uid, image)
    return image
  } catch (cause) {
    if (cause instanceof NoPicture) return undefined
    throw cause
  }
}

/** The series may have been deleted meanwhile; then there is nothing to keep. */
async function keep(
  db: Db,
  organizationId: string,
  seriesUID: string,
  sopInstanceUID: string,
  image: Uint8Array,
): Promise<void> {
  await sql`insert into thumbnails (organization_id, series_uid, sop_instance_uid, image)
    select organization_id, series_uid, ${sopInstanceUID}, ${image}::bytea from series where organization_id =
    ${organizationId} and series_uid = ${seriesUID}
    on conflict (organization_id, series_uid) do update set sop_instance_uid = excluded.sop_instance_uid, image =
    excluded.image`.execute(db)
}

const QUIET_MS = 3_000

/** Draws thumbnails of series that were uploaded, once their upload is quiet: modalities send one slice at a time. */
export function thumbnailWarmer(
  deps: PictureParts,
  background: (work: Promise<unknown>) => void,
): { warm(organizationId: string, seriesUIDs: Iterable<string>): void; close(): void } {
  const waiting = new Map<string, NodeJS.Timeout>()
  return {
    warm(organizationId, seriesUIDs) {
      for (const seriesUID of new Set(seriesUIDs)) {
        const key = `${organizationId} ${seriesUID}`
        clearTimeout(waiting.get(key))
        const timer = setTimeout(() => {
          waiting.delete(key)
          background(seriesThumbnail(deps, organizationId, seriesUID))
        }, QUIET_MS)
        waiting.set(key, timer.unref())
      }
    },
    close() {
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
