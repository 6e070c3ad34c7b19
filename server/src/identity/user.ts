import type { User } from '@dmp/contract'
import { toPolicy, roleDisplayNames } from '@dmp/contract/policy'
import type { Selectable } from 'kysely'
import type { UserTable } from '../db/tables/account.ts'
import { roleIds } from './roles.ts'

export const fullName = (row: { civility: string; first_name: string; last_name: string }): string =>
  `${row.civility} ${row.first_name} ${row.last_name}`

/** The user as the contract has it (3.04). The policy goes out with the viewer's own profile only. */
export function toUser(row: Selectable<UserTable> & { organization_name: string }, { withPolicy = false } = {}): User {
  return {
    id: row.id,
    email: row.email,
    civility: row.civility,
    firstName: row.first_name,
    lastName: row.last_name,
    fullName: fullName(row),
    userName: row.email,
    createdDate: row.created_date.toISOString(),
    updatedDate: row.updated_date.toISOString(),
    landline: row.landline,
    mobile: row.mobile,
    fax: row.fax,
    isConfirmed: row.is_confirmed,
    role: { id: roleIds[row.role], role: row.role, roleDisplayName: roleDisplayNames[row.role] },
    policy: withPolicy ? toPolicy(row.role) : [],
    status: {
      id: row.status_id,
      comment: row.status_comment,
      createdByUser: row.status_by,
      createdDate: row.status_date.toISOString(),
      status: row.status,
    },
    organization: { id: row.organization_id, name: row.organization_name },
    organizationId: row.organization_id,
  }
}
