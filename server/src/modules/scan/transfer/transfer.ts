import { randomBytes } from 'node:crypto'
import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getDestination } from './destinations.ts'
import { getDatastore, refuseDeactivated } from '../scan.repository.ts'
import { listTransfers } from './transfer.repository.ts'
import { transferReport } from './transferReport.ts'

interface Transfers {
  readonly transfer: Handler<typeof scan.transfer>
  readonly listTransfers: Handler<typeof scan.listTransfers>
  readonly getTransferReport: Handler<typeof scan.getTransferReport>
}

/** 3.14, 5.12: copies in the background, under new UIDs and de-identified when anonymize is on. */
export function transferHandlers(deps: Dependencies): Transfers {
  const getTransfer = async (userId: string, id: string): Promise<scan.Transfer> => {
    const [transfer] = await listTransfers(deps.db, userId, id)
    if (!transfer) throw notFound()
    return transfer
  }

  return {
    async transfer(input, context) {
      const store = await getDatastore(deps.db, context.viewer, input.organizationId)
      refuseDeactivated(store)
      const destination = await getDestination(deps, input.dstOrganizationName)
      if (destination.id === store.organizationId)
        throw new Refusal(409, 'SAME_ORGANIZATION', 'The scans are in this organization already.', [
          { path: 'dstOrganizationName', message: 'The scans are in this organization already.' },
        ])
      const scans = await findScans(deps, store.organizationId, input.scans)
      const id = await deps.write(context, async ({ trx, audit }) => {
        const { id } = await trx
          .insertInto('transfers')
          .values({
            organization_id: store.organizationId,
            destination_id: destination.id,
            destination_name: destination.name,
            anonymize: input.anonymize,
            secret: randomBytes(32),
            user_id: context.viewer.userId,
            state: 'Queued',
            finished_date: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await trx
          .insertInto('transfer_scans')
          .values(
            scans.map((one, position) => ({
              transfer_id: id,
              position,
              study_uid: one.study_uid,
              series_uid: one.series_uid,
              new_series_uid: null,
              state: 'Queued' as const,
              message: null,
              images: Math.max(1, one.images),
              report: null,
            })),
          )
          .execute()
        await deps.jobs.add(trx, 'transfer', [{ id, group: store.organizationId }])
        await audit({
          event: 'ScansTransferred',
          organizationId: store.organizationId,
          subject: {
            transferId: id,
            destinationId: destination.id,
            anonymize: input.anonymize,
            series: scans.map((one) => one.series_uid),
          },
        })
        return id
      })
      const queued = await getTransfer(context.viewer.userId, id)
      deps.jobs.wake('transfer')
      return queued
    },

    listTransfers: async (_input, { viewer }) => listTransfers(deps.db, viewer.userId),

    async getTransferReport({ id }, { viewer }) {
      const transfer = await getTransfer(viewer.userId, id)
      const rows = await deps.db
        .selectFrom('transfer_scans')
        .selectAll()
        .where('transfer_id', '=', id)
        .orderBy('position')
        .execute()
      return { text: transferReport(transfer, rows) }
    },
  }
}

/** All of them are there, or nothing is transferred. */
async function findScans(
  { db }: Dependencies,
  organizationId: string,
  wanted: ReadonlyArray<{ studyUID: string; seriesUID: string }>,
): Promise<{ study_uid: string; series_uid: string; images: number }[]> {
  const unique = new Map(wanted.map((one) => [one.seriesUID, one]))
  const found = await db
    .selectFrom('series')
    .select(['study_uid', 'series_uid', 'images'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', [...unique.keys()])
    .execute()
  const byUid = new Map(found.map((one) => [one.series_uid, one]))
  return [...unique.values()].map((one) => {
    const row = byUid.get(one.seriesUID)
    if (!row || row.study_uid !== one.studyUID) throw notFound()
    return row
  })
}
