import { may, permits } from '@dmp/contract'
import type { AuditRow } from '@dmp/contract/audit'
import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Db } from '../../db/client.ts'

interface AuditedRow {
  readonly subject: Readonly<Record<string, unknown>>
}

const mayKnow = ({ policy }: Viewer): boolean => permits(policy, may('BusinessUser', 'Get'))

const findId = ({ subject: { userId } }: AuditedRow): string | undefined =>
  typeof userId === 'string' && isId.test(userId) ? userId : undefined

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The audit keeps the id of the person that a row is about. Returns who that is by their name of today, for viewers who
 * may see the person.
 */
export async function namePeople(
  db: Db,
  viewer: Viewer,
  rows: readonly AuditedRow[],
): Promise<(row: AuditedRow) => AuditRow['affected']> {
  const ids = new Set(rows.flatMap((row) => findId(row) ?? []))
  if (ids.size === 0 || !mayKnow(viewer)) return () => null
  const users = db
    .selectFrom('users')
    .select(['users.id', 'users.email', sql<string>`concat_ws(' ', civility, first_name, last_name)`.as('fullName')])
    .where(sql<boolean>`users.id = any(${[...ids]}::uuid[])`)
  const found = await visibleTo(users, viewer, 'users.organization_id').execute()
  const byId = new Map(found.map((person) => [person.id, person]))
  return (row) => byId.get(findId(row) ?? '') ?? null
}

/** The same as a search of the audit finds it. */
export function personText(viewer: Viewer): RawBuilder<string | null> {
  if (!mayKnow(viewer)) return sql<null>`null::text`
  const wall = viewer.isInternal ? sql`true` : sql`person.organization_id = ${viewer.organizationId}`
  // Cast only where it is an id: an error would end the search.
  return sql<string | null>`(select concat_ws(' ', person.civility, person.first_name, person.last_name, person.email)
    from users person where ${wall} and person.id = case when audit.subject ->> 'userId'
      ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (audit.subject ->> 'userId')::uuid end)`
}
