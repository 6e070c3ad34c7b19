import type { Change, ChangePage } from '@dmp/contract/changes'
import { limits } from '@dmp/contract'
import { sql, type Transaction } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables/index.ts'
import { readChanges } from '../changes/changes.repository.ts'
import { addDelivery, untried } from './delivery.repository.ts'
import { changePayload, missedPayload } from './payload.ts'

type Trx = Transaction<Tables>

/** So many messages wait as rows at most; all others wait as changes, behind the cursor. */
const mostWaiting = 100

/** Where the feed begins at a time. Throws 410 for one whose changes are not kept any more. */
export async function findCursor(trx: Trx, organizationId: string, since: string): Promise<number> {
  const { changes, next } = await readChanges(trx, organizationId, { since, pageSize: 1 })
  return Number(changes[0]?.cursor ?? next) - (changes.length > 0 ? 1 : 0)
}

/**
 * Writes the next deliveries of a webhook and moves its cursor, in one transaction: a change has its delivery exactly
 * when the cursor is behind it. One that was delivered before waits again, under the same id. Returns whether there is
 * more to plan.
 */
export const planDeliveries = (db: Db, id: string, sender: string, publicUrl: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('webhooks')
      .select(['organization_id', 'cursor', 'kinds'])
      .where('id', '=', id)
      .where('sender', '=', sender)
      .forUpdate()
      .executeTakeFirst()
    if (!row || (await countWaiting(trx, id)) >= mostWaiting) return false
    const page = await readPage(trx, row.organization_id, { since: String(row.cursor), kinds: row.kinds })
    if (page === 'gone') {
      await skipForgotten(trx, id, row.organization_id)
      return true
    }
    if (page.changes.length > 0) await insertDeliveries(trx, id, publicUrl, page.changes)
    if (page.next !== String(row.cursor))
      await trx
        .updateTable('webhooks')
        .set({ cursor: Number(page.next) })
        .where('id', '=', id)
        .execute()
    return page.hasMore
  })

async function countWaiting(trx: Trx, id: string): Promise<number> {
  const { count } = await trx
    .selectFrom('webhook_deliveries')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('webhook_id', '=', id)
    .where('status', '=', 'Waiting')
    .executeTakeFirstOrThrow()
  return count
}

async function readPage(
  trx: Trx,
  organizationId: string,
  asked: Pick<Parameters<typeof readChanges>[2], 'since' | 'kinds'>,
): Promise<ChangePage | 'gone'> {
  try {
    return await readChanges(trx, organizationId, { ...asked, pageSize: mostWaiting })
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'CURSOR_GONE') return 'gone'
    throw cause
  }
}

async function insertDeliveries(trx: Trx, id: string, publicUrl: string, changes: readonly Change[]): Promise<void> {
  await trx
    .insertInto('webhook_deliveries')
    .values(
      changes.map((change) => ({
        webhook_id: id,
        number: Number(change.cursor),
        type: change.kind,
        study_uid: change.studyUID,
        series_uid: change.seriesUID,
        payload: changePayload(publicUrl, change),
      })),
    )
    .onConflict((conflict) => conflict.columns(['webhook_id', 'number']).doUpdateSet(untried))
    .execute()
  // The oldest of too many; those that wait are never among them.
  await sql`delete from webhook_deliveries where webhook_id = ${id} and status <> 'Waiting' and place <= (
    select place from webhook_deliveries where webhook_id = ${id}
      order by place desc offset ${limits.webhookDeliveries} limit 1)`.execute(trx)
}

/** It was paused or suspended for longer than changes are kept: said to the receiver, never passed over. */
async function skipForgotten(trx: Trx, id: string, organizationId: string): Promise<void> {
  const feed = await trx
    .selectFrom('change_feeds')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  await addDelivery(trx, id, 'ChangesMissed', missedPayload(feed?.forgotten_date ?? null))
  await trx
    .updateTable('webhooks')
    .set({ cursor: Number(feed?.forgotten_number ?? 0) })
    .where('id', '=', id)
    .execute()
}
