import { sql } from 'kysely'
import {
  CannotDeidentify,
  copyUnderNewUids,
  deidentify,
  newReport,
  type DeidentificationReport,
} from '../../../dicom/deidentify.ts'
import { readInstance } from '../../../dicom/read.ts'
import { rewrittenBytes } from '../../../dicom/rewrite.ts'
import { uidMapper } from '../../../dicom/uidMap.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { removeObjects } from '../intake/objectRecovery.ts'
import {
  commit,
  isPrepared,
  prepare,
  type IncomingObject,
  type IntakeOutcome,
  type Prepared,
} from '../intake/intake.ts'
import { deleteSeries } from '../deletion/deleteSeries.ts'
import type { TransferRow, TransferScanRow } from './transfer.repository.ts'

/** Why a scan was not transferred, in words for the person who wanted it. */
export class CannotCopy extends Error {}

export interface CopyResult {
  readonly newSeriesUID: string
  readonly instances: number
  readonly report: DeidentificationReport
}

interface SourceRow {
  sop_instance_uid: string
  instance_number: number
  object_key: string
  images: number
}

const GROUP = 16

/**
 * Copies one series into the destination under new UIDs, de-identified when asked. All of it or nothing: what cannot be
 * de-identified takes the whole series back. `onProgress` hears the number of images so far and answers whether to go
 * on; `undefined` when it said no.
 */
export async function copySeries(
  deps: Dependencies,
  transfer: TransferRow,
  scan: TransferScanRow,
  onProgress: (images: number) => Promise<boolean>,
): Promise<CopyResult | undefined> {
  const { secret } = transfer
  if (!secret) throw new CannotCopy('The transfer has lost its secret. Please start it again.')
  const arrival = await arrivalOf(deps, transfer)
  const newSeriesUID = uidMapper(secret)(scan.series_uid)
  const report = newReport()
  const rows = await sourceRows(deps, transfer.organization_id, scan.series_uid)
  if (rows.length === 0) throw new CannotCopy('The scan is not there anymore.')
  let images = 0
  try {
    for (let at = 0; at < rows.length; at += GROUP) {
      const group: Prepared[] = []
      for (const row of rows.slice(at, at + GROUP)) {
        group.push(await copyInstance(deps, transfer, arrival, row, secret, report))
        images += Math.max(1, row.images)
      }
      settle(await commit(deps, arrival, group))
      if (!(await onProgress(Math.min(images, scan.images))) && at + GROUP < rows.length) return undefined
    }
  } catch (cause) {
    await takeBack(deps, transfer, newSeriesUID)
    if (cause instanceof CannotDeidentify) throw new CannotCopy(cause.message)
    throw cause
  }
  return { newSeriesUID, instances: rows.length, report }
}

async function arrivalOf({ db }: Dependencies, transfer: TransferRow): Promise<IncomingObject> {
  const destination = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', transfer.destination_id)
    .where('status', '=', 'Activated')
    .where('datastore_id', 'is not', null)
    .executeTakeFirst()
  if (!destination) throw new CannotCopy('The destination cannot receive scans anymore.')
  const source = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', transfer.organization_id)
    .where('status', '=', 'Activated')
    .executeTakeFirst()
  if (!source)
    throw new CannotCopy(
      'The organization that the scan belongs to was deactivated. Nothing of this scan was transferred.',
    )
  const viewer = { userId: transfer.user_id, organizationId: transfer.organization_id }
  return {
    organizationId: destination.id,
    source: 'Transfer',
    context: { viewer, request: { id: `transfer ${transfer.id}`, ip: 'this server' } },
  }
}

async function sourceRows({ db }: Dependencies, organizationId: string, seriesUID: string): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`select sop_instance_uid, instance_number, object_key, images from instances
    where organization_id = ${organizationId} and series_uid = ${seriesUID} order by instance_number,
    sop_instance_uid`.execute(db)
  return rows
}

async function copyInstance(
  deps: Dependencies,
  transfer: TransferRow,
  arrival: IncomingObject,
  row: SourceRow,
  secret: Uint8Array,
  report: DeidentificationReport,
): Promise<Prepared> {
  const object = await deps.objects.open(row.object_key)
  try {
    const instance = await readInstance(object)
    const copy = transfer.anonymize
      ? await deidentify(instance, secret, report)
      : await copyUnderNewUids(instance, secret)
    const prepared = await prepare(deps.objects, arrival, rewrittenBytes(instance, copy), Number.MAX_SAFE_INTEGER)
    if (isPrepared(prepared)) return prepared
    throw new CannotCopy(
      `Image ${row.instance_number} could not be written anew: ${prepared.kind === 'refused' ? prepared.sentence : 'unknown'} Nothing of this scan was transferred.`,
    )
  } catch (cause) {
    if (cause instanceof CannotDeidentify) throw new CannotDeidentify(`Image ${row.instance_number}: ${cause.message}`)
    throw cause
  } finally {
    await object.close()
  }
}

/** Copies that are there already come from before a restart. */
function settle(outcomes: readonly IntakeOutcome[]): void {
  const refused = outcomes.find((one) => one.kind === 'refused')
  if (refused?.kind === 'refused') throw new CannotCopy(`${refused.sentence} Nothing of this scan was transferred.`)
}

async function takeBack(deps: Dependencies, transfer: TransferRow, newSeriesUID: string): Promise<void> {
  const viewer = { userId: transfer.user_id, organizationId: transfer.organization_id }
  const there = await deps.db
    .selectFrom('series')
    .select('series_uid')
    .where('organization_id', '=', transfer.destination_id)
    .where('series_uid', '=', newSeriesUID)
    .executeTakeFirst()
  if (!there) return
  await deps.write(
    { viewer, request: { id: `transfer ${transfer.id}`, ip: 'this server' } },
    async ({ trx, audit }) => {
      const removed = await deleteSeries(trx, transfer.destination_id, [newSeriesUID])
      await audit({
        event: 'ScansDeleted',
        organizationId: transfer.destination_id,
        subject: { series: [newSeriesUID], instances: removed.instances, reason: 'transfer failed' },
      })
    },
  )
  await removeObjects(deps.db, deps.objects)
}
