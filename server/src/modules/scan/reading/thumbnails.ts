import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { keyIdOf, type ValuePlace } from '../../../outside/encryption/dataKey.ts'
import type { Encryption } from '../../../outside/encryption/encryption.ts'
import type { ByteBudget } from '../../../core/byteBudget.ts'
import { loadHeaders, withHeaderMemory } from '../intake/sealedHeaders.ts'
import type { TurnOwner } from '../../../core/fairQueue.ts'
import { FairTurns, TooManyWaiting, type Turn } from '../../../core/fairTurns.ts'
import type { PictureJob, PictureLook } from '../../../dicom/drawing.thread.ts'
import { NoPicture } from '../../../dicom/noPicture.ts'
import { hasCoarseColours } from '../../../dicom/codeStream.ts'
import { pickPictureHeader } from '../../../dicom/pictureElements.ts'
import { estimateDrawingBytes, readPictureFrame, type PictureSize } from '../../../dicom/pictureFrame.ts'
import { toPictureJob } from '../../../dicom/pictureJob.ts'
import type { PictureRenderer } from '../../../dicom/pictureRenderer.ts'
import type { ObjectRow, StoredFrames, StoredObjects } from '../../../outside/storedObjects.ts'

export const thumbnailSize: PictureSize = { width: 160, height: 160 }

export interface PictureDependencies {
  readonly db: Db
  readonly encryption: Encryption
  readonly stored: StoredObjects
  readonly pictures: PictureRenderer
  readonly memory: ByteBudget
}

export interface StoredImage {
  readonly object_key: string
  readonly transfer_syntax_uid: string
  /** Packed. */
  readonly header: Uint8Array
}

/** Who asks for a picture, and until when. */
export interface PictureAsker {
  readonly owner: TurnOwner
  readonly signal?: AbortSignal
}

/** Draws one frame, the middle one and as JPEG by default. Throws `NoPicture` when there is nothing to draw. */
export async function drawInstance(
  { stored, pictures }: PictureDependencies,
  { object_key, transfer_syntax_uid, header }: StoredImage,
  size: PictureSize,
  asker: PictureAsker,
  frame?: number,
  look: PictureLook = {},
): Promise<Buffer> {
  const turn = { customer: asker.owner.organizationId, person: asker.owner.userId }
  const { table, attributes } = await stored.frames({ object_key, transfer_syntax_uid, header }, turn)
  const image = { object_key, transfer_syntax_uid, table, attributes: pickPictureHeader(attributes) }
  return pictures.draw({
    ...asker,
    key: JSON.stringify([object_key, frame ?? 'middle', size.width, size.height, look]),
    bytes: estimateDrawingBytes(image.attributes, size, table.fragments !== undefined),
    load: async () => ({ ...(await readPicture(stored, image, turn, size, frame)), ...look }),
  })
}

async function readPicture(
  stored: StoredObjects,
  { table, attributes, ...row }: StoredFrames & ObjectRow,
  turn: Turn,
  size: PictureSize,
  frame?: number,
): Promise<PictureJob> {
  const object = await stored.open(row, turn)
  try {
    const pixels = await readPictureFrame(object, table, attributes, size, frame)
    // Frames are read as little-endian; the encoding of the object matters only when it is compressed.
    return toPictureJob(attributes, pixels, table.fragments ? row.transfer_syntax_uid : explicitLittleEndianUID, size)
  } finally {
    await object.close()
  }
}

interface MiddleRow {
  sop_instance_uid: string
  object_key: string
  transfer_syntax_uid: string
  header_bytes: number
  key_id: string | null
  thumbnail: Uint8Array | null
}

/** The middle slice; in a series where that has no pixels, the first that has. */
async function findMiddle(db: Db, organizationId: string, seriesUID: string): Promise<MiddleRow | undefined> {
  const { rows } = await sql<MiddleRow>`
    with middle as (
      select sop_instance_uid, images from instances
      where organization_id = ${organizationId} and series_uid = ${seriesUID}
      order by instance_number, sop_instance_uid
      offset (select greatest(0, (instances - 1) / 2) from series
        where organization_id = ${organizationId} and series_uid = ${seriesUID}) limit 1
    )
    select i.sop_instance_uid, i.object_key, i.transfer_syntax_uid, octet_length(i.header) as header_bytes,
      i.key_id, t.image as thumbnail
    from instances i
    left join thumbnails t on t.organization_id = i.organization_id and t.series_uid = i.series_uid
      and t.sop_instance_uid = i.sop_instance_uid
    where i.organization_id = ${organizationId} and i.sop_instance_uid = (
      select sop_instance_uid from middle where images > 0
      union all (
        select sop_instance_uid from instances
        where organization_id = ${organizationId} and series_uid = ${seriesUID} and images > 0
        order by instance_number, sop_instance_uid limit 1
      ) limit 1
    )`.execute(db)
  return rows[0]
}

/**
 * The thumbnail of a series: its middle slice, drawn once and stored until another slice is the middle. `undefined`
 * when it cannot be drawn. Versions that garbled some colours stored coarse ones: what they drew is drawn again.
 */
export async function getSeriesThumbnail(
  deps: PictureDependencies,
  organizationId: string,
  seriesUID: string,
  asker: PictureAsker,
): Promise<Uint8Array | undefined> {
  const middle = await findMiddle(deps.db, organizationId, seriesUID)
  if (!middle) return undefined
  const { sop_instance_uid: sopInstanceUID, thumbnail, key_id: keyId } = middle
  const place: ValuePlace = ['thumbnail', organizationId, seriesUID, sopInstanceUID]
  // Sealed where its instance is, though perhaps under a newer key: that of the day on which it was drawn.
  const stored = thumbnail && (await deps.encryption.unseal(place, thumbnail, keyId && (keyIdOf(thumbnail) ?? keyId)))
  if (stored && !hasCoarseColours(stored)) return stored
  try {
    const image = await drawMiddle(deps, organizationId, middle, asker)
    const dataKey = await deps.encryption.current(organizationId)
    await storeThumbnail(deps.db, organizationId, seriesUID, sopInstanceUID, dataKey?.seal(place, image) ?? image)
    return image
  } catch (cause) {
    if (cause instanceof NoPicture) return undefined
    throw cause
  }
}

function drawMiddle(
  deps: PictureDependencies,
  organizationId: string,
  { sop_instance_uid: sopInstanceUID, header_bytes: bytes, ...middle }: MiddleRow,
  asker: PictureAsker,
): Promise<Buffer> {
  const turn: Turn = { customer: asker.owner.organizationId, person: asker.owner.userId }
  return withHeaderMemory(deps.memory, turn, bytes, async () => {
    const header = (await loadHeaders(deps, organizationId, [sopInstanceUID])).get(sopInstanceUID)
    if (!header) throw new NoPicture('The scan was deleted.')
    return drawInstance(deps, { ...middle, header }, thumbnailSize, asker)
  })
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
/** Uploaded series whose thumbnails are drawn at the same time; the others wait outside of the pictures' queue. */
const warmingTurns = { atOnce: 2, perCustomer: 1, perPerson: 1, waitingPerPerson: 4096 } as const

export interface ThumbnailWarmer {
  warm(organizationId: string, seriesUIDs: Iterable<string>): void
  /** What waits is left to whoever looks at it: hundreds would keep a server from ending. */
  close(): void
}

/** Beyond so many that wait, whoever looks at the series has its thumbnail drawn. */
function leaveToItsReaders(cause: unknown): void {
  if (!(cause instanceof TooManyWaiting)) throw cause
}

/** Draws thumbnails of uploaded series once their upload has paused: modalities send one slice at a time. */
export function createThumbnailWarmer(
  deps: PictureDependencies,
  background: (work: Promise<unknown>) => void,
): ThumbnailWarmer {
  const timers = new Map<string, NodeJS.Timeout>()
  const turns = new FairTurns(warmingTurns)
  const warmed = 'after uploads'
  let isClosed = false
  return {
    warm(organizationId, seriesUIDs) {
      if (isClosed) return
      for (const seriesUID of new Set(seriesUIDs)) {
        const key = `${organizationId} ${seriesUID}`
        clearTimeout(timers.get(key))
        const timer = setTimeout(() => {
          timers.delete(key)
          // Nobody waits for these, so they take turns as one person beside those who do.
          const owner = { organizationId, userId: warmed }
          const work = async () => isClosed || (await getSeriesThumbnail(deps, organizationId, seriesUID, { owner }))
          background(turns.run({ customer: organizationId, person: warmed }, work).catch(leaveToItsReaders))
        }, quietMs)
        timers.set(key, timer.unref())
      }
    },
    close() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
