import { sql, type Transaction, type Updateable } from 'kysely'
import type { Activation, Listing, Parsed } from '@dmp/contract'
import type { License, LicenseAssignment, Organization, OrganizationChoice, list } from '@dmp/contract/organization'
import type { Db } from '../../db/client.ts'
import { listed, text } from '../../db/listing.ts'
import { nextUpdatedDate } from '../../db/changeConflict.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { OrganizationTable } from '../../db/tables/organization.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'

/** The viewer's organization; the provider's staff get every organization. */
function visible(db: Db, viewer: Viewer) {
  const rows = db
    .selectFrom('organizations')
    .leftJoin('regions', 'regions.id', 'organizations.region_id')
    .selectAll('organizations')
    .select('regions.name as region')
  return visibleTo(rows, viewer, 'organizations.id')
}

export type OrganizationRow = Awaited<ReturnType<ReturnType<typeof visible>['executeTakeFirstOrThrow']>>

const toOrganization = (row: OrganizationRow, licenses: License[]): Organization => ({
  id: row.id,
  name: row.name,
  createdDate: row.created_date.toISOString(),
  updatedDate: row.updated_date.toISOString(),
  region: row.region,
  status: row.status,
  organizationStatus: { status: row.status, createdDate: row.status_date.toISOString(), createdByUser: row.status_by },
  licenses,
})

export async function listOrganizations(
  db: Db,
  viewer: Viewer,
  input: Parsed<typeof list>,
): Promise<Listing<Organization>> {
  const { rows, total } = await listed(visible(db, viewer), input, {
    shown: [sql.ref('organizations.status'), sql.ref('organizations.name')],
    sorts: { status: text(sql.ref('organizations.status')), name: text(sql.ref('organizations.name')) },
    otherwise: [sql`lower(organizations.name) collate "C"`, sql`organizations.id`],
  })
  const licenses = await listAssignedLicenses(
    db,
    rows.map((row) => row.id),
  )
  return { rows: rows.map((row) => toOrganization(row, licenses.get(row.id) ?? [])), total }
}

export async function listActivated(db: Db, viewer: Viewer): Promise<OrganizationChoice[]> {
  const rows = await visible(db, viewer)
    .where('organizations.status', '=', 'Activated')
    .orderBy(sql`lower(organizations.name) collate "C"`)
    .orderBy('organizations.id')
    .execute()
  return rows.map(({ id, name, datastore_id }) => ({ id, name, hasDatastore: datastore_id !== null }))
}

export async function getOrganizationRow(db: Db, viewer: Viewer, id: string): Promise<OrganizationRow> {
  const row = await visible(db, viewer).where('organizations.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export async function getOrganization(db: Db, viewer: Viewer, id: string): Promise<Organization> {
  return withLicenses(db, await getOrganizationRow(db, viewer, id))
}

export async function withLicenses(db: Db, row: OrganizationRow): Promise<Organization> {
  return toOrganization(row, (await listAssignedLicenses(db, [row.id])).get(row.id) ?? [])
}

/** Locks the organization until the transaction ends, so that simultaneous changes wait for each other. */
export async function lockOrganization(trx: Transaction<Tables>, viewer: Viewer, id: string): Promise<OrganizationRow> {
  const row = await visible(trx, viewer)
    .where('organizations.id', '=', id)
    .forUpdate('organizations')
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Adds an activated organization without licenses. */
export async function addOrganization(
  trx: Transaction<Tables>,
  {
    name,
    regionId,
    by,
    datastoreId,
  }: { name: string; regionId: string | null; by: string; datastoreId: string | null },
): Promise<string> {
  const { id } = await trx
    .insertInto('organizations')
    .values({ name, region_id: regionId, status_by: by, datastore_id: datastoreId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** One query for a whole page of organizations. */
async function listAssignedLicenses(
  db: Db,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, License[]>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('organization_licenses as assigned')
    .innerJoin('licenses', 'licenses.id', 'assigned.license_id')
    .selectAll('assigned')
    .select('licenses.saas')
    .where('assigned.organization_id', '=', sql<string>`any(${[...organizationIds]}::uuid[])`)
    .orderBy('licenses.position')
    .execute()
  const licenses = new Map<string, License[]>()
  for (const row of rows) {
    const license = {
      id: row.id,
      licenseId: row.license_id,
      isActive: row.is_active,
      isAutomaticAnalysis: row.is_automatic_analysis,
      saas: row.saas,
    }
    licenses.set(row.organization_id, [...(licenses.get(row.organization_id) ?? []), license])
  }
  return licenses
}

/** 7.34: a license per app, assigned to the organization or not. */
export async function listLicenses(db: Db, organizationId: string): Promise<License[]> {
  const rows = await db
    .selectFrom('licenses')
    .leftJoin('organization_licenses as assigned', (join) =>
      join.onRef('assigned.license_id', '=', 'licenses.id').on('assigned.organization_id', '=', organizationId),
    )
    .select([
      'licenses.id as license_id',
      'licenses.saas',
      'assigned.id',
      'assigned.is_active',
      'assigned.is_automatic_analysis',
    ])
    .orderBy('licenses.position')
    .execute()
  return rows.map((row) => ({
    id: row.id ?? row.license_id,
    licenseId: row.license_id,
    isActive: row.is_active ?? false,
    isAutomaticAnalysis: row.is_automatic_analysis ?? false,
    saas: row.saas,
  }))
}

/** 4.06: licenses that are not mentioned stay as they are. Returns the changed row. */
export async function setLicenses(
  trx: Transaction<Tables>,
  organization: OrganizationRow,
  licenses: readonly LicenseAssignment[],
): Promise<OrganizationRow> {
  if (licenses.length > 0) {
    await trx
      .insertInto('organization_licenses')
      .values(
        licenses.map(({ licenseId, isActive, isAutomaticAnalysis }) => ({
          organization_id: organization.id,
          license_id: licenseId,
          is_active: isActive,
          is_automatic_analysis: isAutomaticAnalysis,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'license_id']).doUpdateSet((eb) => ({
          is_active: eb.ref('excluded.is_active'),
          is_automatic_analysis: eb.ref('excluded.is_automatic_analysis'),
        })),
      )
      .execute()
  }
  return update(trx, organization, {})
}

export const setName = (
  trx: Transaction<Tables>,
  organization: OrganizationRow,
  name: string,
): Promise<OrganizationRow> => update(trx, organization, { name })

export const setStatus = (
  trx: Transaction<Tables>,
  organization: OrganizationRow,
  status: Activation,
  by: string,
): Promise<OrganizationRow> => {
  const statusDate = nextUpdatedDate(organization.updated_date)
  return update(trx, organization, { status, status_by: by, status_date: statusDate, updated_date: statusDate })
}

export const setDatastore = (
  trx: Transaction<Tables>,
  organization: OrganizationRow,
  datastoreId: string,
): Promise<OrganizationRow> => update(trx, organization, { datastore_id: datastoreId })

/** Returns the changed row, which saves reading it again. */
async function update(
  trx: Transaction<Tables>,
  organization: OrganizationRow,
  columns: Updateable<OrganizationTable>,
): Promise<OrganizationRow> {
  const changedColumns = await trx
    .updateTable('organizations')
    .set({ updated_date: nextUpdatedDate(organization.updated_date), ...columns })
    .where('id', '=', organization.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...organization, ...changedColumns }
}
