import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import type { Destination } from './destinations.ts'
import type { SeriesToTransfer } from './transfer.repository.ts'

interface NewTransfer {
  readonly organizationId: string
  readonly destination: Destination
  readonly anonymize: boolean
  readonly userId: string
  /** Its secret takes the place of one of the transfer's own. */
  readonly projectId: string | null
  /** Nothing leaves before. */
  readonly delaySeconds: number
  readonly series: readonly SeriesToTransfer[]
}

/** Queues a transfer with a secret of its own, from which its new UIDs are made; returns its id. */
export async function addTransfer(trx: Transaction<Tables>, transfer: NewTransfer): Promise<string> {
  const { id } = await trx
    .insertInto('transfers')
    .values({
      organization_id: transfer.organizationId,
      destination_id: transfer.destination.id,
      destination_name: transfer.destination.name,
      anonymize: transfer.anonymize,
      secret: transfer.projectId === null ? randomBytes(32) : null,
      project_id: transfer.projectId,
      user_id: transfer.userId,
      state: 'Queued',
      finished_date: null,
      ...(transfer.delaySeconds > 0 && {
        leaves_date: sql<Date>`now() + make_interval(secs => ${transfer.delaySeconds}::float8)`,
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('transfer_scans')
    .values(
      transfer.series.map((series, position) => ({
        transfer_id: id,
        position,
        study_uid: series.study_uid,
        series_uid: series.series_uid,
        new_series_uid: null,
        state: 'Queued' as const,
        message: null,
        images: Math.max(1, series.images),
        report: null,
      })),
    )
    .execute()
  return id
}
