import { Refusal } from '../../../core/errors.ts'
import { sayIn } from '../../../core/languages.ts'
import type { scan } from '@dmp/contract'
import type { Handler } from '../../../core/handlers.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { addTransfer } from './addTransfer.ts'
import { getDestination } from './destinations.ts'
import { createAccessAudit } from '../reading/accessAudit.ts'
import { toListItem } from '../reading/listItem.ts'
import { getDatastore, refuseDeactivated } from '../scan.repository.ts'
import {
  findSeries,
  getSource,
  getTransfer,
  listTransferredSeries,
  listTransfers,
  listTransferScans,
  stopTransfer,
} from './transfer.repository.ts'
import { listProjectsHandler, openProject } from './transferProjects.ts'
import { formatTransferReport } from './transferReport.ts'

interface TransferHandlers {
  readonly transfer: Handler<typeof scan.transfer>
  readonly listTransferProjects: Handler<typeof scan.listTransferProjects>
  readonly listTransfers: Handler<typeof scan.listTransfers>
  readonly listTransferScans: Handler<typeof scan.listTransferScans>
  readonly stopTransfer: Handler<typeof scan.stopTransfer>
  readonly getTransferReport: Handler<typeof scan.getTransferReport>
}

/** 3.14, 5.12: copies in the background, under new UIDs and de-identified when anonymize is on. */
export const transferHandlers = (deps: Dependencies): TransferHandlers => ({
  transfer: transferHandler(deps),
  listTransferProjects: listProjectsHandler(deps),

  listTransfers: async (_input, { viewer, request }) =>
    (await listTransfers(deps.db, viewer.userId)).map((transfer) => sayResults(transfer, request.language)),

  listTransferScans: listTransferScansHandler(deps),

  async stopTransfer({ id }, context) {
    const { userId, fullName } = context.viewer
    await deps.write(context, async ({ trx, audit }) => {
      const { organizationId, series } = await stopTransfer(trx, userId, id, fullName)
      await audit({ event: 'TransferStopped', organizationId, subject: { transferId: id, series } })
    })
    return sayResults(await getTransfer(deps.db, userId, id), context.request.language)
  },

  async getTransferReport({ id }, { viewer }) {
    const transfer = await getTransfer(deps.db, viewer.userId, id)
    return { text: formatTransferReport(transfer, await listTransferScans(deps.db, id)) }
  },
})

const sayResults = (transfer: scan.Transfer, language: string | undefined): scan.Transfer => ({
  ...transfer,
  scans: transfer.scans.map((one) => ({ ...one, message: one.message && sayIn(language, one.message) })),
})

function listTransferScansHandler(deps: Dependencies): Handler<typeof scan.listTransferScans> {
  const recordAccess = createAccessAudit(deps)
  return async ({ id }, context) => {
    // Whoever moved to another organization does not see the patients of the last one any more.
    const source = await getSource(deps.db, context.viewer.userId, id)
    const { organizationId, dataStoreID } = await getDatastore(deps.db, context.viewer, source)
    const rows = await listTransferredSeries(deps.db, id)
    const seriesUIDs = rows.map((row) => row.series_uid)
    // The rows name patients.
    await recordAccess(context, {
      event: 'ScansQueried',
      organizationId,
      subject: { list: 'transfer', transferId: id, series: seriesUIDs },
    })
    return { organizationId, scans: rows.map((row) => toListItem(row, dataStoreID ?? '')) }
  }
}

const transferHandler =
  (deps: Dependencies): Handler<typeof scan.transfer> =>
  async (input, context) => {
    const store = await getDatastore(deps.db, context.viewer, input.organizationId)
    refuseDeactivated(store)
    const destination = await getDestination(deps, input.dstOrganizationName, store.organizationId)
    if (input.project !== undefined && !input.anonymize)
      throw new Refusal(
        400,
        'NOTHING_TO_PSEUDONYMIZE',
        'A project gives pseudonyms, which only anonymized copies have.',
        [{ path: 'project', message: 'Only anonymized copies have pseudonyms.' }],
      )
    const { project } = input
    const delaySeconds = deps.settings.transferDelaySeconds
    const dataKey = project === undefined ? undefined : await deps.encryption.current(store.organizationId)
    const series = await findSeries(deps.db, store.organizationId, input.scans)
    const id = await deps.write(context, async ({ trx, audit }) => {
      const { organizationId } = store
      const projectId = project === undefined ? null : await openProject(trx, organizationId, project, dataKey)
      const transferId = await addTransfer(trx, {
        projectId,
        organizationId,
        destination,
        anonymize: input.anonymize,
        userId: context.viewer.userId,
        series,
        delaySeconds,
      })
      const afterSeconds = delaySeconds
      await deps.jobs.add(trx, 'transfer', [{ id: transferId, group: store.organizationId, afterSeconds }])
      await audit({
        event: 'ScansTransferred',
        organizationId: store.organizationId,
        subject: {
          transferId,
          destinationId: destination.id,
          anonymize: input.anonymize,
          ...(projectId !== null && { projectId }),
          series: series.map((row) => row.series_uid),
        },
      })
      return transferId
    })
    const queuedTransfer = await getTransfer(deps.db, context.viewer.userId, id)
    deps.jobs.wake('transfer')
    return queuedTransfer
  }
