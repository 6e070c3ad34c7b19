import { rightsOfRole } from '@dmp/contract/policy'
import { roleNames } from '@dmp/contract/user'
import type { StatusName } from '@dmp/contract/webhook'
import { sql, type RawBuilder } from 'kysely'
import type { Source } from '../../db/client.ts'

/** A webhook ends with the right to it: these may have some. */
const owningRoles = roleNames.filter((role) => rightsOfRole[role].Webhook?.includes('Add'))

/** Of a row of `selectWebhooks`. */
export const webhookStatus: RawBuilder<StatusName> = sql<StatusName>`case
  when webhooks.paused_date is not null then 'Paused'
  when owner.status <> 'Activated' or organization.status <> 'Activated'
    or owner.organization_id <> webhooks.organization_id or owner.role not in (${sql.join(owningRoles)})
    then 'Suspended'
  else 'Active' end`

/** Webhooks, each with its owner, its organization and its status. */
export const selectWebhooks = (db: Source) =>
  db
    .selectFrom('webhooks')
    .innerJoin('users as owner', 'owner.id', 'webhooks.owner_id')
    .innerJoin('organizations as organization', 'organization.id', 'webhooks.organization_id')
    // Of those that fail alone: a list does not look through the deliveries of all.
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('webhook_deliveries')
          .select(['problem as last_problem', 'answer_status as last_answer_status'])
          .whereRef('webhook_id', '=', 'webhooks.id')
          .where('webhooks.failing_since', 'is not', null)
          .where('tried_date', 'is not', null)
          .orderBy('tried_date', 'desc')
          .orderBy('webhook_deliveries.id')
          .limit(1)
          .as('last_try'),
      (join) => join.onTrue(),
    )
    .selectAll('webhooks')
    .select(['last_try.last_problem', 'last_try.last_answer_status'])
    .select(webhookStatus.as('status'))
    .select(['organization.name as organization_name', 'owner.email as owner_email'])
    .select(['owner.civility', 'owner.first_name', 'owner.last_name'])

export type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['executeTakeFirstOrThrow']>>
