import { sql } from 'kysely'
import { readFrameLayout, readFrame } from '../../../dicom/frames.ts'
import type { JsonDataset } from '../../../dicom/jsonModel.ts'
import { readPart10 } from '../../../dicom/part10.ts'
import { NoPicture, type PictureRenderer, type PictureSize } from '../../../dicom/pictureRenderer.ts'
import { explicitLittleEndianUID } from '../../../dicom/transferSyntaxes.ts'
import type { Dependencies } from '../../../dependencies.ts'
import type { ValuePlace } from '../../../outside/encryption/dataKey.ts'
import { unpackHeader } from '../intake/instanceRows.ts'
import { unsealHeader } from '../intake/sealedHeaders.ts'

export const thumbnailSize: PictureSize = { width: 160, height: 160 }

export interface PictureDependencies extends Pick<Dependencies, 'db' | 'objects' | 'encryption'> {
  readonly pictures: PictureRenderer
}

export interface StoredImage {
  readonly object_key: string
  readonly transfer_syntax_uid: string
  readonly header: JsonDataset
}

/** Draws one frame as JPEG, the middle one by default. Throws `NoPicture` when there is nothing to draw. */
export async function drawInstance(
  { objects, pictures }: PictureDependencies,
  instance: StoredImage,
  size: PictureSize,
  frame?: number,
): Promise<Buffer> {
  const object = await objects.open(instance.object_key)
  try {
    const part10 = await readPart10(object)
    const layout = await readFrameLayout(part10, instance.header)
    const bytes =
      layout.frames === 0 ? undefined : await readFrame(part10.source, layout, frame ?? Math.ceil(layout.frames / 2))
    if (!bytes || bytes.length === 0) throw new NoPicture('This frame does not exist.')
    // Frames are read as little-endian; the encoding of the object matters only when it is compressed.
    const syntax = part10.transferSyntax.isEncapsulated ? instance.transfer_syntax_uid : explicitLittleEndianUID
    return await pictures.draw(instance.header, syntax, bytes, size)
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
  const { sop_instance_uid: sopInstanceUID } = middle
  const place: ValuePlace = ['thumbnail', organizationId, seriesUID, sopInstanceUID]
  if (middle.thumbnail) return deps.encryption.unseal(place, middle.thumbnail)
  try {
    const header = await unsealHeader(deps.encryption, { organizationId, sopInstanceUID }, middle.header)
    const image = await drawInstance(deps, { ...middle, header: unpackHeader(header) }, thumbnailSize)
    const dataKey = await deps.encryption.current(organizationId)
    await storeThumbnail(deps.db, organizationId, seriesUID, sopInstanceUID, dataKey?.seal(place, image) ?? image)
    return image
  } catch (cause) {
    if (cause instanceof NoPicture) return undefined
    throw cause
  }
}

/** The series may have been deleted in the meantime; then nothing is stored. */
async function storeThumbnail(
  db: Dependencies['db'],
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
