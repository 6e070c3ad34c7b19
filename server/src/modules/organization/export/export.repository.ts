import { may, permits, type Permission, type RoleName } from '@dmp/contract'
import type { ExportState, OrganizationExport } from '@dmp/contract/organization'
import { toPolicy } from '@dmp/contract/policy'
import type { Selectable, Updateable } from 'kysely'
import { sharedDate } from '../../../core/clock.ts'
import type { Source } from '../../../db/client.ts'
import type { OrganizationExportTable } from '../../../db/tables/organization.ts'
import type { ArchivePart } from './archiveStream.ts'
import type { SeriesPlace } from './planSets.ts'

export type ExportRow = Selectable<OrganizationExportTable>

const mostListed = 10
export const openStates: readonly ExportState[] = ['Waiting', 'Running']

const toExport = (row: ExportRow): OrganizationExport => ({
  id: row.id,
  state: row.state,
  createdBy: row.created_by,
  createdDate: row.created_date.toISOString(),
  objects: row.objects,
  objectsDone: row.objects_done,
  bytes: row.archive_bytes === null ? null : Number(row.archive_bytes),
  readyDate: row.ready_date?.toISOString() ?? null,
  expiresDate: row.expires_date?.toISOString() ?? null,
  reason: row.reason,
  endedBy: row.ended_by,
})

export async function listExports(db: Source, organizationId: string): Promise<OrganizationExport[]> {
  const rows = await db
    .selectFrom('organization_exports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .limit(mostListed)
    .execute()
  // An hour may pass before its rows are cleared up.
  const isOver = ({ state, expires_date }: ExportRow): boolean =>
    state === 'Ready' && expires_date !== null && expires_date <= sharedDate()
  return rows.map((row) => toExport(isOver(row) ? { ...row, state: 'Expired' } : row))
}

export const findExport = (db: Source, id: string): Promise<ExportRow | undefined> =>
  db.selectFrom('organization_exports').selectAll().where('id', '=', id).executeTakeFirst()

export const findReady = (db: Source, id: string): Promise<ExportRow | undefined> =>
  db
    .selectFrom('organization_exports')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'Ready')
    .where('expires_date', '>', sharedDate())
    .executeTakeFirst()

/** False when it is in none of those states any more: somebody was first. */
export async function moveExport(
  db: Source,
  id: string,
  from: readonly ExportState[],
  values: Updateable<OrganizationExportTable>,
): Promise<boolean> {
  const row = await db
    .updateTable('organization_exports')
    .set(values)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Its archive is gone with this. */
export async function clearExport(db: Source, id: string): Promise<void> {
  for (const table of [
    'organization_export_addresses',
    'organization_export_parts',
    'organization_export_pieces',
  ] as const)
    await db.deleteFrom(table).where('export_id', '=', id).execute()
}

/** Whether a person may have an export of an organization now. */
export const mayExport = (db: Source, userId: string, organizationId: string): Promise<boolean> =>
  mayUse(db, userId, organizationId, may('Organization', 'Export'))

/** Whether a person may do it with an organization now, by what is in the database and by no memory. */
export async function mayUse(
  db: Source,
  userId: string,
  organizationId: string,
  permission: Permission,
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('organizations as own', 'own.id', 'users.organization_id')
    .innerJoin('organizations as exported', (on) => on.on('exported.id', '=', organizationId))
    .select(['users.role', 'users.organization_id'])
    .where('users.id', '=', userId)
    .where('users.status', '=', 'Activated')
    .where('own.status', '=', 'Activated')
    .where('exported.status', '=', 'Activated')
    .executeTakeFirst()
  if (!row || !permits(toPolicy(row.role), permission)) return false
  return isInternal(row.role) || row.organization_id === organizationId
}

const isInternal = (role: RoleName): boolean => role === 'super_admin' || role === 'sys_admin'

export interface PartRow extends ArchivePart {
  readonly objects: number
  readonly last: SeriesPlace | undefined
  readonly sums: string | undefined
}

export async function listParts(db: Source, exportId: string): Promise<PartRow[]> {
  const rows = await db
    .selectFrom('organization_export_parts')
    .selectAll()
    .where('export_id', '=', exportId)
    .orderBy('position')
    .execute()
  return rows.map((row) => ({
    position: row.position,
    start: Number(row.start),
    bytes: Number(row.bytes),
    directoryBytes: Number(row.directory_bytes),
    files: row.files,
    objects: row.objects,
    last:
      row.last_date === null || row.last_series_uid === null
        ? undefined
        : { date: row.last_date, series_uid: row.last_series_uid },
    sums: row.sums_sha256 ?? undefined,
  }))
}

export async function addPart(db: Source, exportId: string, part: PartRow): Promise<void> {
  await db
    .insertInto('organization_export_parts')
    .values({
      export_id: exportId,
      position: part.position,
      start: part.start,
      bytes: part.bytes,
      directory_bytes: part.directoryBytes,
      files: part.files,
      objects: part.objects,
      last_date: part.last?.date ?? null,
      last_series_uid: part.last?.series_uid ?? null,
      sums_sha256: part.sums ?? null,
    })
    .execute()
}
