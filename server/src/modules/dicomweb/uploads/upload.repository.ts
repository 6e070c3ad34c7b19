import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { uploadExpiryHours } from '../tusServices.ts'
import type { UploadOwner } from '../unfinishedUploads.ts'

export interface UploadRow {
  readonly organizationId: string
  readonly userId: string
  readonly size: number | undefined
  readonly arrived: number
  readonly outcome: string | null
  readonly createdDate: Date
}

export interface UploadPiece {
  readonly start: number
  readonly bytes: number
  readonly key: string
}

export async function findUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  return (
    row && {
      organizationId: row.organization_id,
      userId: row.user_id,
      size: row.size === null ? undefined : Number(row.size),
      arrived: Number(row.arrived),
      outcome: row.outcome,
      createdDate: row.created_date,
    }
  )
}

export async function listPieces(db: Db, id: string): Promise<UploadPiece[]> {
  const rows = await db
    .selectFrom('upload_pieces')
    .select(['start', 'bytes', 'object_key'])
    .where('upload_id', '=', id)
    .orderBy('start')
    .execute()
  return rows.map(({ start, bytes, object_key }) => ({ start: Number(start), bytes: Number(bytes), key: object_key }))
}

/** Takes the right to write to an upload; `none` where no row tells of it. */
export async function takeLease(
  db: Db,
  { id, holder, seconds }: { readonly id: string; readonly holder: string; readonly seconds: number },
): Promise<'taken' | 'held' | 'none'> {
  const until = sql<Date>`now() + make_interval(secs => ${seconds})`
  const taken = await db
    .updateTable('uploads')
    .set({ holder, held_until: until, is_wanted: false })
    .where('id', '=', id)
    .where(sql<boolean>`(holder is null or held_until < now())`)
    .returning('id')
    .executeTakeFirst()
  if (taken) return 'taken'
  const held = await db
    .updateTable('uploads')
    .set({ is_wanted: true })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return held ? 'held' : 'none'
}

/** Holds it for longer, and says whether somebody waits for it; undefined where it has another holder by now. */
export async function renewLease(
  db: Db,
  { id, holder, seconds }: { readonly id: string; readonly holder: string; readonly seconds: number },
): Promise<boolean | undefined> {
  const row = await db
    .updateTable('uploads')
    .set({ held_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .returning('is_wanted')
    .executeTakeFirst()
  return row?.is_wanted
}

export async function giveLeaseBack(db: Db, id: string, holder: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ holder: null, held_until: null, is_wanted: false })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

interface AddedPiece {
  readonly id: string
  readonly holder: string
  readonly piece: UploadPiece
  /** The short one before it, whose bytes it begins with. */
  readonly replaced: UploadPiece | undefined
}

/** Acknowledges what the store has; false where somebody else writes by now, or something else has arrived. */
export async function addPiece(db: Db, { id, holder, piece, replaced }: AddedPiece): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('uploads')
      .set({ arrived: piece.start + piece.bytes })
      .where('id', '=', id)
      .where('holder', '=', holder)
      .where('arrived', '=', replaced ? replaced.start + replaced.bytes : piece.start)
      .returning('id')
      .executeTakeFirst()
    if (!row) return false
    if (replaced) await dropPieces(trx, id, replaced.start)
    const { start, bytes, key } = piece
    await trx.insertInto('upload_pieces').values({ upload_id: id, start, bytes, object_key: key }).execute()
    return true
  })
}

/** Their bytes are removed from the store by whoever comes first: the caller, or the hourly sweep of any server. */
async function dropPieces(trx: Transaction<Tables>, id: string, start?: number): Promise<string[]> {
  const rows = await trx
    .deleteFrom('upload_pieces')
    .where('upload_id', '=', id)
    .$if(start !== undefined, (query) => query.where('start', '=', start ?? 0))
    .returning('object_key')
    .execute()
  if (rows.length > 0) await trx.insertInto('object_removals').values(rows).execute()
  return rows.map((row) => row.object_key)
}

/** Returns the keys of what is to be removed from the store. */
export const removeUpload = (db: Db, id: string): Promise<string[]> =>
  db.transaction().execute(async (trx) => {
    const keys = await dropPieces(trx, id)
    await trx.deleteFrom('uploads').where('id', '=', id).execute()
    return keys
  })

/** Returns the keys of what is to be removed from the store. */
export const finishUpload = (db: Db, id: string, outcome: string): Promise<string[]> =>
  db.transaction().execute(async (trx) => {
    await trx
      .updateTable('uploads')
      .set({ outcome, finished_date: sql<Date>`now()` })
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .execute()
    return dropPieces(trx, id)
  })

/** Uploads that nobody finished, outcomes that nobody asked for, and room of which nothing became. */
export async function listExpired(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where(
      sql<boolean>`(coalesce(finished_date, created_date) < now() - make_interval(hours => ${uploadExpiryHours})
        or (not is_begun and created_date < now() - interval '10 minutes'))`,
    )
    .execute()
  return rows.map(({ id }) => id)
}

export async function listFinished(db: Db): Promise<{ id: string; owner: UploadOwner }[]> {
  const rows = await db
    .selectFrom('uploads')
    .select(['id', 'user_id', 'organization_id'])
    .where('outcome', 'is not', null)
    .orderBy('finished_date')
    .execute()
  return rows.map((row) => ({ id: row.id, owner: { userId: row.user_id, organizationId: row.organization_id } }))
}
