import { randomUUID } from 'node:crypto'
import type { Listing, Parsed, scan } from '@dmp/contract'
import { sql, type Selectable, type Transaction } from 'kysely'
import { notFound } from '../../../core/errors.ts'
import { isVisibleTo, type Tenant } from '../../../core/tenant.ts'
import type { Db } from '../../../db/client.ts'
import { day, listed, text } from '../../../db/listing.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { TransferHoldTable, TransferScanTable } from '../../../db/tables/transfer.ts'
import { fullName } from '../../../identity/user.ts'
import { countPictures } from './heldPictures.ts'

export type HoldRow = Selectable<TransferHoldTable>
export type Choice = HoldRow['choice']
type TransferScanRow = Selectable<TransferScanTable>

/** Holds whose scan still waits or is being sent, with what people know it by. */
function holds(db: Db) {
  return (
    db
      .selectFrom('transfer_holds as hold')
      .innerJoin('transfer_scans as scan', (join) =>
        join.onRef('scan.transfer_id', '=', 'hold.transfer_id').onRef('scan.position', '=', 'hold.position'),
      )
      .innerJoin('transfers as transfer', 'transfer.id', 'hold.transfer_id')
      // The original may have been deleted in the meantime.
      .leftJoin('series', (join) =>
        join
          .onRef('series.organization_id', '=', 'transfer.organization_id')
          .onRef('series.series_uid', '=', 'scan.series_uid'),
      )
      .innerJoin('users as starter', 'starter.id', 'transfer.user_id')
      .selectAll('hold')
      .select([
        'transfer.organization_id',
        'transfer.destination_name',
        'scan.study_uid',
        'scan.series_uid',
        'scan.state',
        'series.patient_name',
        'series.description',
        'series.modality',
        'starter.civility',
        'starter.first_name',
        'starter.last_name',
      ])
  )
}

export type Hold = Awaited<ReturnType<ReturnType<typeof holds>['executeTakeFirstOrThrow']>>

/** Scans that wait for a look, the oldest first unless sorted otherwise. */
export async function listWaiting(
  db: Db,
  organizationId: string,
  input: Parsed<typeof scan.listHeld>,
): Promise<Listing<scan.HeldScan>> {
  const { rows, total } = await listed(
    holds(db)
      .where('transfer.organization_id', '=', organizationId)
      .where('scan.state', '=', 'Held')
      .where('hold.decided_date', 'is', null),
    input,
    {
      shown: [
        sql<string>`series.patient_name`,
        sql<string>`series.description`,
        sql<string>`series.modality`,
        sql<string>`transfer.destination_name`,
        sql<string>`starter.civility || ' ' || starter.first_name || ' ' || starter.last_name`,
        day(sql.ref('hold.created_date'), input),
      ],
      sorts: {
        createdDate: sql.ref('hold.created_date'),
        patientName: text(sql<string>`series.patient_name`),
        description: text(sql<string>`series.description`),
        modality: text(sql<string>`series.modality`),
        pictures: sql.ref('hold.pictures'),
        dstOrganizationName: text(sql<string>`transfer.destination_name`),
      },
      otherwise: [sql`hold.created_date`, sql`hold.id`],
    },
  )
  return { rows: rows.map(toHeldScan), ...(total === undefined ? {} : { total }) }
}

/** A hold within the tenant's wall, decided or not; 404 when there is none. */
export async function getHold(db: Db, tenant: Tenant, id: string): Promise<Hold> {
  const hold = await holds(db).where('hold.id', '=', id).executeTakeFirst()
  if (!hold || !isVisibleTo(tenant, hold.organization_id)) throw notFound()
  return hold
}

export const toHeldScan = (hold: Hold): scan.HeldScan => ({
  id: hold.id,
  transferId: hold.transfer_id,
  organizationId: hold.organization_id,
  studyUID: hold.study_uid,
  seriesUID: hold.series_uid,
  dstOrganizationName: hold.destination_name,
  patientName: hold.patient_name || null,
  description: hold.description ?? '',
  modality: hold.modality ?? '',
  pictures: hold.pictures,
  startedByUser: fullName(hold),
  createdDate: hold.created_date.toISOString(),
})

/** The scan waits from now on, or again: what was chosen before is kept, the decision is not. */
export async function holdScan(trx: Transaction<Tables>, scan: TransferScanRow, pictures: number): Promise<string> {
  const again = { pictures, decision: null, revision: null, decided_by: null, decided_date: null, job_id: null }
  const { id } = await trx
    .insertInto('transfer_holds')
    .values({
      transfer_id: scan.transfer_id,
      position: scan.position,
      choice: JSON.stringify({ masks: [], leftOut: [] } satisfies Choice),
      ...again,
    })
    .onConflict((conflict) => conflict.columns(['transfer_id', 'position']).doUpdateSet(again))
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('transfer_scans')
    .set({ state: 'Held', images_done: 0, message: `${sayHeld(pictures)} Look at them under “Held pictures”.` })
    .where('transfer_id', '=', scan.transfer_id)
    .where('position', '=', scan.position)
    .execute()
  return id
}

export const sayHeld = (pictures: number): string =>
  `Held back: ${countPictures(pictures)} may show text that names the patient, and nobody has looked yet.`

export async function saveChoice(trx: Transaction<Tables>, id: string, choice: Choice): Promise<void> {
  await trx
    .updateTable('transfer_holds')
    .set({ choice: JSON.stringify(choice) })
    .where('id', '=', id)
    .where('decided_date', 'is', null)
    .execute()
}

interface Decision {
  readonly decision: 'Send' | 'LeaveOut'
  readonly revision: string
  readonly choice: Choice
  readonly userId: string
}

/** The id of the job that follows; undefined when somebody else was faster. */
export async function decide(
  trx: Transaction<Tables>,
  id: string,
  { decision, revision, choice, userId }: Decision,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('transfer_holds')
    .set({
      decision,
      revision,
      choice: JSON.stringify(choice),
      decided_by: userId,
      decided_date: new Date(),
      job_id: randomUUID(),
    })
    .where('id', '=', id)
    .where('decided_date', 'is', null)
    .returning('job_id')
    .executeTakeFirst()
  return row?.job_id ?? undefined
}

export async function addLook(
  db: Db,
  look: { holdId: string; sha256: string; isShown: boolean; userId: string },
): Promise<void> {
  await db
    .insertInto('transfer_hold_looks')
    .values({ hold_id: look.holdId, sha256: look.sha256, is_shown: look.isShown, user_id: look.userId })
    .onConflict((conflict) => conflict.columns(['hold_id', 'sha256']).doUpdateSet({ is_shown: look.isShown }))
    .execute()
}

/** By the hash of the picture, whether it could be shown. */
export async function listLooks(db: Db, holdId: string): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .selectFrom('transfer_hold_looks')
    .select(['sha256', 'is_shown'])
    .where('hold_id', '=', holdId)
    .execute()
  return new Map(rows.map((row) => [row.sha256, row.is_shown]))
}

/** Decided, and not yet sent or left out: each has its job, or gets one at the next start. */
export async function listDecided(db: Db): Promise<{ jobId: string; organizationId: string }[]> {
  const rows = await holds(db).where('scan.state', '=', 'Held').where('hold.job_id', 'is not', null).execute()
  return rows.flatMap(({ job_id: jobId, organization_id: organizationId }) =>
    jobId === null ? [] : [{ jobId, organizationId }],
  )
}

/** The hold of a job and the scan that it is about; undefined when that is over. */
export async function findDecided(db: Db, jobId: string): Promise<Hold | undefined> {
  return holds(db).where('hold.job_id', '=', jobId).where('scan.state', '=', 'Held').executeTakeFirst()
}
