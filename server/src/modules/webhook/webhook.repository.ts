import { limits, type Listing, type Parsed, type webhook } from '@dmp/contract'
import type { ChangeKind } from '@dmp/contract/changes'
import type { PauseReason, Webhook } from '@dmp/contract/webhook'
import { sql, type Transaction } from 'kysely'
import { sharedNow } from '../../core/clock.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Source } from '../../db/client.ts'
import { day, listed, text } from '../../db/listing.ts'
import type { Tables } from '../../db/tables/index.ts'
import { fullName } from '../../identity/user.ts'
import { selectWebhooks, webhookStatus, type WebhookRow } from './webhookStatus.ts'
import type { KeptSecret } from './webhookSecret.ts'

type Trx = Transaction<Tables>

const ownerName = sql<string>`concat_ws(' ', owner.civility, owner.first_name, owner.last_name)`
const isAhead = (date: Date | null): boolean => date !== null && date.getTime() > sharedNow()
const instant = (date: Date | null): string | null => date?.toISOString() ?? null

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  name: row.name,
  status: row.status,
  pausedReason: row.paused_reason,
  url: row.url,
  kinds: row.kinds,
  organization: row.organization_name,
  owner: fullName(row),
  createdDate: row.created_date.toISOString(),
  failingSince: instant(row.failing_since),
  lastProblem: row.last_problem,
  lastAnswerStatus: row.last_answer_status,
  nextTryDate: row.failing_since !== null && row.status === 'Active' ? instant(row.rest_until) : null,
  lastDeliveredDate: instant(row.delivered_date),
  previousSecretUntil: isAhead(row.previous_until) ? instant(row.previous_until) : null,
})

export async function listWebhooks(
  db: Source,
  viewer: Viewer,
  input: Parsed<typeof webhook.list>,
): Promise<Listing<Webhook>> {
  const { rows, total } = await listed(visibleTo(selectWebhooks(db), viewer, 'webhooks.organization_id'), input, {
    shown: [
      sql.ref<string>('webhooks.name'),
      webhookStatus,
      sql.ref<string>('webhooks.url'),
      sql<string>`array_to_string(webhooks.kinds, ', ')`,
      ownerName,
      sql.ref<string>('organization.name'),
      day(sql.ref('webhooks.created_date'), input),
      day(sql.ref('webhooks.delivered_date'), input),
    ],
    sorts: {
      name: text(sql.ref('webhooks.name')),
      status: text(webhookStatus),
      url: text(sql.ref('webhooks.url')),
      owner: text(ownerName),
      organization: text(sql.ref('organization.name')),
      createdDate: sql.ref('webhooks.created_date'),
      lastDeliveredDate: sql.ref('webhooks.delivered_date'),
    },
    otherwise: [sql`webhooks.created_date desc`, sql`webhooks.id`],
  })
  return { rows: rows.map(toWebhook), total }
}

/** One that the viewer may see, or 404. */
export async function getRow(db: Source, viewer: Viewer, id: string): Promise<WebhookRow> {
  const row = await visibleTo(selectWebhooks(db), viewer, 'webhooks.organization_id')
    .where('webhooks.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The same, and nobody else changes it or moves its cursor until the transaction ends. */
export async function lockRow(trx: Trx, viewer: Viewer, id: string): Promise<WebhookRow> {
  await getRow(trx, viewer, id)
  await trx.selectFrom('webhooks').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return getRow(trx, viewer, id)
}

export interface Wanted {
  readonly name: string
  readonly url: string
  readonly kinds: readonly ChangeKind[]
  /** It tells of the releases of this part, and of no changes. */
  readonly part?: string
}

/** Throws 409 for a name that is taken, and for one too many. Others of the organization wait until the commit. */
async function assertRoom(trx: Trx, organizationId: string, name: string, id?: string): Promise<void> {
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const others = await trx
    .selectFrom('webhooks')
    .select(['id', sql<boolean>`lower(name) = lower(${name})`.as('isTaken')])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(limits.webhooksPerOrganization)
    .execute()
  if (others.some((other) => other.isTaken && other.id !== id)) throw refuseName()
  if (id === undefined && others.length >= limits.webhooksPerOrganization) throw tooMany()
}

/** In the owner's own organization; it tells of what happens from now on. */
export async function addWebhook(
  trx: Trx,
  owner: Pick<Viewer, 'userId' | 'organizationId'>,
  { name, url, kinds, part }: Wanted,
  secret: KeptSecret,
): Promise<WebhookRow> {
  await assertRoom(trx, owner.organizationId, name)
  const { id } = await trx
    .insertInto('webhooks')
    .values({
      organization_id: owner.organizationId,
      owner_id: owner.userId,
      name,
      url,
      kinds: [...kinds],
      ...(part === undefined ? {} : { part }),
      ...secret,
      cursor: sql<number>`coalesce((select last_number from change_feeds
        where organization_id = ${owner.organizationId}), 0)`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return selectWebhooks(trx).where('webhooks.id', '=', id).executeTakeFirstOrThrow()
}

/** Whoever changes it answers for it from now on. Another address has another past: it is not failing. */
export async function changeWebhook(
  trx: Trx,
  ownerId: string,
  row: WebhookRow,
  { name, url, kinds }: Wanted,
): Promise<WebhookRow> {
  await assertRoom(trx, row.organization_id, name, row.id)
  const anew = url === row.url ? {} : afresh
  return setWebhook(trx, row.id, { owner_id: ownerId, name, url, kinds: [...kinds], ...anew })
}

/** Nothing has failed. */
export const afresh = { failing_since: null, failures: 0, rest_until: null } as const

type Change = Partial<
  Pick<WebhookRow, 'owner_id' | 'name' | 'url' | 'kinds' | 'failing_since' | 'failures' | 'rest_until'> & KeptSecret
> & {
  readonly paused_date?: ReturnType<typeof sql<Date>> | null
  readonly paused_reason?: PauseReason | null
  readonly previous_salt?: string | null
  readonly previous_until?: ReturnType<typeof sql<Date>> | null
  readonly cursor?: number
}

export async function setWebhook(trx: Trx, id: string, change: Change): Promise<WebhookRow> {
  await trx.updateTable('webhooks').set(change).where('id', '=', id).execute()
  return selectWebhooks(trx).where('webhooks.id', '=', id).executeTakeFirstOrThrow()
}

function refuseName(): Refusal {
  const message = 'Another webhook has this name. Choose another name.'
  return new Refusal(409, 'NAME_TAKEN', message, [{ path: 'name', message }])
}

const tooMany = (): Refusal =>
  new Refusal(
    409,
    'TOO_MANY',
    `An organization has at most ${limits.webhooksPerOrganization} webhooks. Delete one that is not needed any more.`,
  )
