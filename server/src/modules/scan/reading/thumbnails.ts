import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { readWholeFrame } from '../../../dicom/frames.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import { NoPicture, type PictureRenderer, type PictureSize } from '../../../dicom/pictureRenderer.ts'
import { explicitLittleEndianUID } from '../../../dicom/transferSyntaxes.ts'
import type { StoredObjects } from '../../../outside/storedObjects.ts'

export const thumbnailSize: PictureSize = { width: 160, height: 160 }

export interface PictureDependencies {
  readonly db: Db
  readonly stored: StoredObjects
  readonly pictures: PictureRenderer
}

export interface StoredImage {
  readonly organization_id: string
  readonly object_key: string
  readonly transfer_syntax_uid: string
  /** Packed. */
  readonly header: Uint8Array
}

/** Draws one frame as JPEG, the middle one by default. Throws `NoPicture` when there is nothing to draw. */
export async function drawInstance(
  { stored, pictures }: PictureDependencies,
  instance: StoredImage,
  size: PictureSize,
  frame?: number,
): Promise<Buffer> {
  const turn = { customer: instance.organization_id, person: 'pictures' }
  const { table, attributes } = await stored.frames(instance, turn)
  if (table.frames === 0) throw new NoPicture('This frame does not exist.')
  const number = frame ?? Math.ceil(table.frames / 2)
  const object = await stored.open(instance, turn)
  try {
    const bytes = await readWholeFrame(object, table, number, readingLimits.frameBytes)
    if (!bytes) throw new NoPicture('This frame does not exist, or is too large to be drawn.')
    // Frames are read as little-endian; the encoding of the object matters only when it is compressed.
    const syntax = table.fragments ? instance.transfer_syntax_uid : explicitLittleEndianUID
    return await pictures.draw(attributes, syntax, bytes, size)
  } finally {
    await object.close()
  }
}

interface MiddleRow {
  sop_instance_uid: string
  object_key: string
  transfer_syntax_uid: string
  header: Uint8Array
  thumbnail: Uint8Array | null
}

/**
 * The thumbnail of a series: its middle slice, drawn once and stored until another slice is the middle. `undefined`
 * when it cannot be drawn.
 */
export async function getSeriesThumbnail(
  deps: PictureDependencies,
  organizationId: string,
  seriesUID: string,
): Promise<Uint8Array | undefined> {
  const { rows } = await sql<MiddleRow>`
    select i.sop_instance_uid, i.object_key, i.transfer_syntax_uid, i.header, t.image as thumbnail from instances i
    left join thumbnails t on t.organization_id = i.organization_id and t.series_uid = i.series_uid
      and t.sop_instance_uid = i.sop_instance_uid
    where i.organization_id = ${organizationId} and i.series_uid = ${seriesUID}
    order by i.instance_number, i.sop_instance_uid
    offset (select greatest(0, (instances - 1) / 2) from series
      where organization_id = ${organizationId} and series_uid = ${seriesUID}) limit 1`.execute(deps.db)
  const middle = rows[0]
  if (!middle) return undefined
  if (middle.thumbnail) return middle.thumbnail
  try {
    const image = await drawInstance(deps, { ...middle, organization_id: organizationId }, thumbnailSize)
    await storeThumbnail(deps.db, organizationId, seriesUID, middle.sop_instance_uid, image)
    return image
  } catch (cause) {
    if (cause instanceof NoPicture) return undefined
    throw cause
  }
}

/** The series may have been deleted in the meantime; then nothing is stored. */
async function storeThumbnail(
  db: Db,
  organizationId: string,
  seriesUID: string,
  sopInstanceUID: string,
  image: Uint8Array,
): Promise<void> {
  await sql`insert into thumbnails (organization_id, series_uid, sop_instance_uid, image)
    select organization_id, series_uid, ${sopInstanceUID}, ${image}::bytea from series
    where organization_id = ${organizationId} and series_uid = ${seriesUID}
    on conflict (organization_id, series_uid)
    do update set sop_instance_uid = excluded.sop_instance_uid, image = excluded.image`.execute(db)
}

const quietMs = 3_000

export interface ThumbnailWarmer {
  warm(organizationId: string, seriesUIDs: Iterable<string>): void
  close(): void
}

/** Draws thumbnails of uploaded series once their upload has paused: modalities send one slice at a time. */
export function createThumbnailWarmer(
  deps: PictureDependencies,
  background: (work: Promise<unknown>) => void,
): ThumbnailWarmer {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    warm(organizationId, seriesUIDs) {
      for (const seriesUID of new Set(seriesUIDs)) {
        const key = `${organizationId} ${seriesUID}`
        clearTimeout(timers.get(key))
        const timer = setTimeout(() => {
          timers.delete(key)
          background(getSeriesThumbnail(deps, organizationId, seriesUID))
        }, quietMs)
        timers.set(key, timer.unref())
      }
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
