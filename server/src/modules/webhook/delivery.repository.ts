import type { Listing, Parsed, webhook } from '@dmp/contract'
import type { Delivery, DeliveryDetail } from '@dmp/contract/webhook'
import { sql, type Selectable, type Transaction } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Source } from '../../db/client.ts'
import { day, listed, text } from '../../db/listing.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { WebhookDeliveryTable } from '../../db/tables/webhook.ts'
import type { WebhookRow } from './webhookStatus.ts'

export type DeliveryRow = Selectable<WebhookDeliveryTable>

/** Of a webhook that is paused or suspended, nothing is tried. */
export const toDelivery = (row: DeliveryRow, { status }: Pick<WebhookRow, 'status'>): Delivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  type: row.type,
  status: row.status,
  createdDate: row.created_date.toISOString(),
  tries: row.tries,
  triedDate: row.tried_date?.toISOString() ?? null,
  nextTryDate: row.status === 'Waiting' && status === 'Active' ? row.next_try_date.toISOString() : null,
  answerStatus: row.answer_status,
  milliseconds: row.milliseconds,
  problem: row.problem,
  studyUID: row.study_uid,
  seriesUID: row.series_uid,
})

export const toDeliveryDetail = (row: DeliveryRow, webhook: Pick<WebhookRow, 'status'>): DeliveryDetail => ({
  ...toDelivery(row, webhook),
  payload: row.payload,
  answer: row.answer,
})

const selectDeliveries = (db: Source, viewer: Viewer) =>
  visibleTo(
    db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .selectAll('webhook_deliveries'),
    viewer,
    'webhooks.organization_id',
  )

export async function listDeliveries(
  db: Source,
  viewer: Viewer,
  owner: WebhookRow,
  input: Omit<Parsed<typeof webhook.listDeliveries>, 'webhookId'>,
): Promise<Listing<Delivery>> {
  const rows = selectDeliveries(db, viewer).where('webhook_deliveries.webhook_id', '=', owner.id)
  const found = await listed(rows, input, {
    shown: [
      sql.ref<string>('webhook_deliveries.type'),
      sql.ref<string>('webhook_deliveries.status'),
      sql<string>`webhook_deliveries.answer_status::text`,
      sql.ref<string>('webhook_deliveries.series_uid'),
      sql.ref<string>('webhook_deliveries.study_uid'),
      sql<string>`webhook_deliveries.id::text`,
      day(sql.ref('webhook_deliveries.created_date'), input),
    ],
    sorts: {
      createdDate: sql.ref('webhook_deliveries.created_date'),
      status: text(sql.ref('webhook_deliveries.status')),
      type: text(sql.ref('webhook_deliveries.type')),
      tries: sql.ref('webhook_deliveries.tries'),
      triedDate: sql.ref('webhook_deliveries.tried_date'),
    },
    otherwise: [sql`webhook_deliveries.place desc`, sql`webhook_deliveries.id`],
  })
  return { rows: found.rows.map((row) => toDelivery(row, owner)), total: found.total }
}

export async function getDeliveryRow(db: Source, viewer: Viewer, id: string): Promise<DeliveryRow> {
  const row = await selectDeliveries(db, viewer).where('webhook_deliveries.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** As it was before its first try; its id, its place and its words stay. */
export const untried = {
  status: 'Waiting',
  tries: 0,
  first_try_date: null,
  next_try_date: sql<Date>`now()`,
} as const

export const replayDelivery = (trx: Transaction<Tables>, id: string): Promise<DeliveryRow> =>
  trx.updateTable('webhook_deliveries').set(untried).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const addDelivery = (
  trx: Transaction<Tables>,
  webhookId: string,
  type: 'WebhookTest' | 'ChangesMissed' | 'ReleaseNews',
  payload: string,
): Promise<DeliveryRow> =>
  trx
    .insertInto('webhook_deliveries')
    .values({ webhook_id: webhookId, type, payload })
    .returningAll()
    .executeTakeFirstOrThrow()
