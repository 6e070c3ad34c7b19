import { audit } from '@dmp/contract'
import { auditEvents } from '@dmp/contract/auditEvents'
import { FairTurns } from '../../core/fairTurns.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { alertsHandlers } from './alerts/alerts.handlers.ts'
import { beginCheck, findLastCheck } from './chainCheck.ts'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { getAudit, isWalk, listActivity, listAudit, readAudit } from './audit.repository.ts'

/** Larger exports are a job for the database's own tools. */
const maxExportedRows = 100_000
/** A search or a sort reads every event of the filters. */
const walkTurns = { atOnce: 2, perCustomer: 1, perPerson: 1, waitingPerPerson: 4, waitingPerCustomer: 16 } as const
/** One export of a customer at a time: each has all of its rows in memory. */
const exportTurns = { atOnce: 2, perCustomer: 1, perPerson: 1, waitingPerPerson: 2, waitingPerCustomer: 8 } as const

export const auditHandlers = (deps: Dependencies): Handlers<typeof audit> => {
  const { db, keys, replicas, write } = deps
  const recordAccess = createAccessAudit(deps)
  const exporting = new FairTurns(exportTurns)
  const walking = new FairTurns(walkTurns)
  type Asked = Parameters<typeof isWalk>[0] & { readonly affectedId?: string | undefined }
  // No index has whom a row is about: one over all that there is could only be built while nobody can write.
  const inTurn = <T>({ organizationId, userId }: Viewer, input: Asked, read: () => Promise<T>) =>
    isWalk(input) || input.affectedId ? walking.run({ customer: organizationId, person: userId }, read) : read()
  return {
    ...alertsHandlers(deps),

    // Without a page the answer would be the whole table; only `exportRows` returns it, and that is recorded.
    list: (input, { viewer }) =>
      inTurn(viewer, input, () =>
        replicas.read(audit.list, viewer, (copy) => listAudit(copy, viewer, { page: 1, ...input })),
      ),

    async listActivity(input, context) {
      const { viewer } = context
      const listing = await inTurn(viewer, input, () =>
        replicas.read(audit.listActivity, viewer, (copy) => listActivity(copy, viewer, { page: 1, ...input })),
      )
      const organizations = new Set(listing.rows.flatMap(({ scan }) => scan?.organizationId ?? []))
      const subject = { page: input.page ?? 1, isSearch: Boolean(input.search), list: 'activity' }
      for (const organizationId of organizations)
        await recordAccess(context, { event: 'ScansQueried', organizationId, subject })
      return listing
    },

    listEvents: () => Promise.resolve([...auditEvents].sort()),

    get: ({ id }, { viewer }) => getAudit(db, keys.audit, viewer, id),

    exportRows(filters, context) {
      const { viewer } = context
      return exporting.run({ customer: viewer.organizationId, person: viewer.userId }, async () => {
        const rows = await readAudit(db, viewer, filters, maxExportedRows)
        await write(context, ({ audit }) =>
          audit({ event: 'AuditExported', subject: { rows: rows.length, ...filters } }),
        )
        return rows
      })
    },

    getLastCheck: async (_input, { viewer }) => ({ check: await findLastCheck(deps, viewer) }),

    check: async (_input, context) => {
      await beginCheck(deps, context)
      return { check: await findLastCheck(deps, context.viewer) }
    },
  }
}
