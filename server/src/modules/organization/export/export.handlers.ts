import type { organization } from '@dmp/contract'
import type { OrganizationExport } from '@dmp/contract/organization'
import type { Context } from '../../../core/context.ts'
import { Refusal, notFound } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { refuseUniqueViolation } from '../../../db/uniqueViolation.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getAccount } from '../../account/account.repository.ts'
import { confirmPassword } from '../../account/confirmPassword.ts'
import { createLoginThrottle } from '../../account/loginThrottle.ts'
import { getOrganizationRow, lockOrganization, type OrganizationRow } from '../organization.repository.ts'
import { refuseBuiltIn } from '../organization.rules.ts'
import {
  clearExport,
  findExport,
  findReady,
  listExports,
  moveExport,
  openStates,
  type ExportRow,
} from './export.repository.ts'
import { addAddress, toExportUrl } from './exportAddress.ts'

type ExportHandlers = Pick<
  Handlers<typeof organization>,
  'listExports' | 'startExport' | 'endExport' | 'downloadExport'
>

const underWay = (): Refusal =>
  new Refusal(409, 'EXPORT_UNDER_WAY', 'An export of this organization is under way. Wait for it, or stop it first.')

function refuseExport(row: OrganizationRow): void {
  refuseBuiltIn(row, 'exported')
  if (row.status !== 'Activated')
    throw new Refusal(409, 'ORGANIZATION_DEACTIVATED', 'This organization is deactivated. It cannot be exported here.')
}

/** Everything of an organization in one archive, for those who may: asked for, watched, ended and fetched. */
export function exportHandlers(deps: Dependencies): ExportHandlers {
  const { db } = deps
  const throttle = createLoginThrottle(db, deps.keys)
  const confirm = async ({ viewer }: Context, password: string): Promise<void> =>
    confirmPassword(deps, throttle, await getAccount(db, viewer.userId), 'password', password)
  return {
    listExports: async ({ id }, { viewer }) => listExports(db, (await getOrganizationRow(db, viewer, id)).id),

    startExport: async ({ id, password }, context) => {
      refuseExport(await getOrganizationRow(db, context.viewer, id))
      await confirm(context, password)
      const list = await refuseUniqueViolation('organization_exports_open', underWay, addExport(deps, context, id))
      deps.jobs.wake('export')
      return list
    },

    endExport: async ({ id, exportId }, context) =>
      endExport(deps, context, await getExport(deps, context, id, exportId)),

    downloadExport: async ({ id, exportId, password }, context) => {
      refuseExport(await getOrganizationRow(db, context.viewer, id))
      const row = await getExport(deps, context, id, exportId)
      await confirm(context, password)
      if (!(await findReady(db, row.id)))
        throw new Refusal(409, 'EXPORT_NOT_READY', 'There is no archive of this export (any more). Start a new one.')
      return { downloadUrl: toExportUrl(deps, await addAddress(db, row.id, context.viewer)) }
    },
  }
}

const addExport = ({ write, jobs }: Dependencies, context: Context, id: string): Promise<OrganizationExport[]> =>
  write(context, async ({ trx, audit }) => {
    const row = await lockOrganization(trx, context.viewer, id)
    refuseExport(row)
    const { id: exportId } = await trx
      .insertInto('organization_exports')
      .values({
        organization_id: row.id,
        user_id: context.viewer.userId,
        created_by: context.viewer.fullName,
        reason: null,
        ended_by: null,
        archive_bytes: null,
        ready_date: null,
        expires_date: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.add(trx, 'export', [{ id: exportId }])
    await audit({ event: 'OrganizationExported', organizationId: row.id, subject: { exportId, state: 'begun' } })
    return listExports(trx, row.id)
  })

const endExport = ({ write }: Dependencies, context: Context, row: ExportRow): Promise<OrganizationExport[]> =>
  write(context, async ({ trx, audit, announce }) => {
    const values = { state: 'Ended', reason: 'Person', ended_by: context.viewer.fullName } as const
    if (!(await moveExport(trx, row.id, [...openStates, 'Ready'], values)))
      throw new Refusal(409, 'UNCHANGED', 'This export is over already.')
    await clearExport(trx, row.id)
    await announce({ kind: 'exportsEnded', exportIds: [row.id] })
    const subject = { exportId: row.id, state: 'ended' }
    await audit({ event: 'OrganizationExported', organizationId: row.organization_id, subject })
    return listExports(trx, row.organization_id)
  })

/** One of another organization is answered as one that never was. */
async function getExport({ db }: Dependencies, { viewer }: Context, id: string, exportId: string): Promise<ExportRow> {
  const { id: organizationId } = await getOrganizationRow(db, viewer, id)
  const row = await findExport(db, exportId)
  if (row?.organization_id !== organizationId) throw notFound()
  return row
}
