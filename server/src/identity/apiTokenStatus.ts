import type { StatusName } from '@dmp/contract/apiToken'
import { rightsOfRole } from '@dmp/contract/policy'
import { roleNames } from '@dmp/contract/user'
import { sql, type RawBuilder } from 'kysely'
import type { Source } from '../db/client.ts'

/** A token ends with the right to it: these may have some. */
const owningRoles = roleNames.filter((role) => rightsOfRole[role].ApiToken?.includes('Add'))

/** Of a row of `selectApiTokens`. */
export const apiTokenStatus: RawBuilder<StatusName> = sql<StatusName>`case
  when api_tokens.ended_date is not null then 'Ended'
  when api_tokens.expires_date <= now() then 'Expired'
  when owner.status <> 'Activated' or organization.status <> 'Activated'
    or owner.organization_id <> api_tokens.organization_id or owner.role not in (${sql.join(owningRoles)})
    then 'Suspended'
  else 'Active' end`

/** API tokens, each with its owner, its organization and its status. */
export const selectApiTokens = (db: Source) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users as owner', 'owner.id', 'api_tokens.owner_id')
    .innerJoin('organizations as organization', 'organization.id', 'api_tokens.organization_id')
    .selectAll('api_tokens')
    .select(apiTokenStatus.as('status'))
    .select(['owner.role as owner_role', 'organization.name as organization_name'])
    .select(['owner.civility', 'owner.first_name', 'owner.last_name'])
