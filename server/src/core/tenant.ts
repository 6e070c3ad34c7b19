import { sql, type SelectQueryBuilder, type StringReference } from 'kysely'
import type { Viewer } from './context.ts'

/** The organization that rows are read for. Every query of an area takes it: without a tenant there are no rows. */
export type Tenant = Pick<Viewer, 'organizationId' | 'isInternal'>

/**
 * The only wall between organizations (P02): leaves the rows of the viewer's organization, or every row for the
 * provider's staff.
 *
 * @example
 * visibleTo(db.selectFrom('complaints').selectAll(), viewer, 'complaints.organization_id')
 */
export function visibleTo<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  viewer: Tenant,
  column: StringReference<DB, TB>,
): SelectQueryBuilder<DB, TB, O> {
  return viewer.isInternal ? query : query.where(sql<boolean>`${sql.ref(column)} = ${viewer.organizationId}`)
}

/** For rows that belong to no organization: they exist for the provider's staff only, whatever a policy says. */
export function visibleToStaff<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  viewer: Tenant,
): SelectQueryBuilder<DB, TB, O> {
  return viewer.isInternal ? query : query.where(sql<boolean>`false`)
}

/** The same wall for an organization that a call names by its id. */
export const isVisibleTo = (viewer: Tenant, organizationId: string): boolean =>
  viewer.isInternal || organizationId.toLowerCase() === viewer.organizationId
