import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Settings } from '../../../settings/settings.ts'
import { uploadExpiryHours } from '../tusServices.ts'
import {
  assertRoomFor,
  newUploadId,
  type UploadOwner,
  type UploadRoom,
  type UploadRooms,
} from '../unfinishedUploads.ts'

/** Counts over all servers what each person and organization has begun and not finished, by its rows. */
export class SharedRooms implements UploadRooms {
  readonly #db: Db
  readonly #settings: Settings
  readonly #earlier: UploadRooms

  constructor(db: Db, settings: Settings, earlier: UploadRooms) {
    this.#db = db
    this.#settings = settings
    this.#earlier = earlier
  }

  async count(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('uploads')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('outcome', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count) + (await this.#earlier.count())
  }

  refresh = (): Promise<void> => this.#earlier.refresh()

  /** Those with rows are counted by them. */
  forget = (uploadId: string): void => this.#earlier.forget(uploadId)

  async reserve(owner: UploadOwner, bytes: number): Promise<UploadRoom> {
    const { userId, organizationId } = owner
    const uploadId = newUploadId()
    await this.#db.transaction().execute(async (trx) => {
      // Nobody slips through between the count and the row.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${organizationId}`}, 0))`.execute(trx)
      const rows = await trx
        .selectFrom('uploads')
        .select((select) => [
          'user_id',
          select.fn.countAll<string>().as('count'),
          select.fn.sum<string>('promised_bytes').as('bytes'),
        ])
        .where('organization_id', '=', organizationId)
        .where('outcome', 'is', null)
        .where('created_date', '>', sql<Date>`now() - make_interval(hours => ${uploadExpiryHours})`)
        .groupBy('user_id')
        .execute()
      const sum = (own: typeof rows) => ({
        count: own.reduce((total, row) => total + Number(row.count), 0),
        bytes: own.reduce((total, row) => total + Number(row.bytes), 0),
      })
      assertRoomFor(this.#settings, bytes, {
        person: sum(rows.filter((row) => row.user_id === userId)),
        organization: sum(rows),
      })
      await trx
        .insertInto('uploads')
        .values({ id: uploadId, organization_id: organizationId, user_id: userId, promised_bytes: bytes })
        .execute()
    })
    return {
      uploadId,
      keep: () => undefined,
      release: async () => {
        await this.#db.deleteFrom('uploads').where('id', '=', uploadId).where('is_begun', '=', false).execute()
      },
    }
  }
}
