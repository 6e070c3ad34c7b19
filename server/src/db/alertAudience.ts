import { may, permits } from '@dmp/contract'
import { toPolicy } from '@dmp/contract/policy'
import { roleNames } from '@dmp/contract/user'
import { sql, type RawBuilder } from 'kysely'

/** Whoever may read the audit may be told of alerts. */
const roles = roleNames.filter((role) => permits(toPolicy(role), may('Audit', 'List')))

const mayLook = (user: string) =>
  sql`${sql.ref(`${user}.status`)} = 'Activated' and ${sql.ref(`${user}.role`)} = any(${roles}::text[])`

/** Whether somebody else of the organization of `alert` could look into it. */
const hasOthers = sql`exists (select from users other where other.organization_id = alert.organization_id
  and other.id <> alert.user_id and ${mayLook('other')})`

/**
 * Whether an `alert` is for a `person`: never for the one whom it is about, unless nobody else could look into it. Then
 * it may still tell that somebody else used the account.
 */
export const isForAlert: RawBuilder<boolean> = sql<boolean>`(${mayLook('person')}
  and (person.id <> alert.user_id or not ${hasOthers}))`

/** The same for a viewer, who may look, of whatever organization. */
export const isAlertFor = (userId: string): RawBuilder<boolean> =>
  sql<boolean>`(alert.user_id <> ${userId}::uuid or not ${hasOthers})`
