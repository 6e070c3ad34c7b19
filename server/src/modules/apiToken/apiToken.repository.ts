import { limits, type Listing, type Parsed, type apiToken } from '@dmp/contract'
import type { ApiToken, ScopeName } from '@dmp/contract/apiToken'
import { sql, type Transaction } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Db } from '../../db/client.ts'
import { day, listed, text } from '../../db/listing.ts'
import type { Tables } from '../../db/tables/index.ts'
import { apiTokenStatus, selectApiTokens } from '../../identity/apiTokenStatus.ts'
import { fullName } from '../../identity/user.ts'

type Row = Awaited<ReturnType<ReturnType<typeof selectApiTokens>['executeTakeFirstOrThrow']>>

const ownerName = sql<string>`concat_ws(' ', owner.civility, owner.first_name, owner.last_name)`

const toApiToken = (row: Row): ApiToken => ({
  id: row.id,
  name: row.name,
  status: row.status,
  scopes: row.scopes,
  organization: row.organization_name,
  owner: fullName(row),
  hint: row.hint,
  addresses: row.addresses,
  parts: row.parts,
  previewers: row.previewers,
  createdDate: row.created_date.toISOString(),
  expiresDate: row.expires_date.toISOString(),
  lastUsedDate: row.last_used_date?.toISOString() ?? null,
  lastUsedAddress: row.last_used_address,
  endedDate: row.ended_date?.toISOString() ?? null,
  endedBy: row.ended_by,
})

export async function listApiTokens(
  db: Db,
  viewer: Viewer,
  input: Parsed<typeof apiToken.list>,
): Promise<Listing<ApiToken>> {
  const visibleRows = visibleTo(selectApiTokens(db), viewer, 'api_tokens.organization_id')
  const { rows, total } = await listed(visibleRows, input, {
    shown: [
      sql.ref<string>('api_tokens.name'),
      apiTokenStatus,
      sql<string>`array_to_string(api_tokens.scopes, ', ')`,
      sql<string>`array_to_string(api_tokens.addresses, ', ')`,
      sql<string>`array_to_string(api_tokens.parts, ', ')`,
      ownerName,
      sql.ref<string>('organization.name'),
      sql.ref<string>('api_tokens.hint'),
      sql.ref<string>('api_tokens.last_used_address'),
      day(sql.ref('api_tokens.expires_date'), input),
      day(sql.ref('api_tokens.last_used_date'), input),
    ],
    sorts: {
      name: text(sql.ref('api_tokens.name')),
      status: text(apiTokenStatus),
      owner: text(ownerName),
      organization: text(sql.ref('organization.name')),
      expiresDate: sql.ref('api_tokens.expires_date'),
      lastUsedDate: sql.ref('api_tokens.last_used_date'),
      createdDate: sql.ref('api_tokens.created_date'),
    },
    otherwise: [sql`api_tokens.created_date desc`, sql`api_tokens.id`],
  })
  return { rows: rows.map(toApiToken), total }
}

export async function getApiToken(db: Db, viewer: Viewer, id: string): Promise<ApiToken> {
  const row = await visibleTo(selectApiTokens(db), viewer, 'api_tokens.organization_id')
    .where('api_tokens.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return toApiToken(row)
}

export interface NewRow {
  readonly name: string
  readonly scopes: readonly ScopeName[]
  readonly addresses: readonly string[]
  readonly parts?: readonly string[]
  readonly previewers?: readonly string[]
  readonly expiresDate: Date
  readonly hash: string
  readonly hint: string
}

/** Throws 409 for a name that is taken, and for one too many. Others of the organization wait until the commit. */
export async function assertRoom(trx: Transaction<Tables>, organizationId: string, name: string): Promise<void> {
  // One after the other in an organization, so that the limit holds.
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const living = await trx
    .selectFrom('api_tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(sql<boolean>`coalesce(bool_or(lower(name) = lower(${name})), false)`.as('isTaken'))
    .where('organization_id', '=', organizationId)
    .where('ended_date', 'is', null)
    .executeTakeFirstOrThrow()
  if (living.isTaken) throw refuseName()
  if (living.count >= limits.apiTokensPerOrganization) throw tooMany()
}

/** Adds one in the owner's own organization. Throws as `assertRoom`. */
export async function addApiToken(
  trx: Transaction<Tables>,
  owner: Pick<Viewer, 'userId' | 'organizationId'>,
  row: NewRow,
): Promise<ApiToken> {
  await assertRoom(trx, owner.organizationId, row.name)
  const { id } = await trx
    .insertInto('api_tokens')
    .values({
      organization_id: owner.organizationId,
      owner_id: owner.userId,
      name: row.name,
      hash: row.hash,
      hint: row.hint,
      scopes: [...row.scopes],
      addresses: [...row.addresses],
      parts: [...(row.parts ?? [])],
      previewers: [...(row.previewers ?? [])],
      expires_date: row.expiresDate,
      last_used_date: null,
      last_used_address: null,
      ended_date: null,
      ended_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toApiToken(await selectApiTokens(trx).where('api_tokens.id', '=', id).executeTakeFirstOrThrow())
}

/** Ends one that the viewer may see. Throws 404, and 409 for one that has ended. */
export async function endApiToken(
  trx: Transaction<Tables>,
  viewer: Viewer,
  id: string,
): Promise<{ readonly token: ApiToken; readonly organizationId: string }> {
  const row = await visibleTo(selectApiTokens(trx), viewer, 'api_tokens.organization_id')
    .where('api_tokens.id', '=', id)
    .forUpdate('api_tokens')
    .executeTakeFirst()
  if (!row) throw notFound()
  if (row.ended_date) throw new Refusal(409, 'UNCHANGED', `${row.name} has ended already.`)
  await trx
    .updateTable('api_tokens')
    .set({ ended_date: sql<Date>`now()`, ended_by: viewer.fullName })
    .where('id', '=', row.id)
    .execute()
  const endedRow = await selectApiTokens(trx).where('api_tokens.id', '=', row.id).executeTakeFirstOrThrow()
  return { token: toApiToken(endedRow), organizationId: row.organization_id }
}

function refuseName(): Refusal {
  const message = 'Another API token has this name. Choose another name, or end that one first.'
  return new Refusal(409, 'NAME_TAKEN', message, [{ path: 'name', message }])
}

const tooMany = (): Refusal =>
  new Refusal(
    409,
    'TOO_MANY',
    `An organization has at most ${limits.apiTokensPerOrganization} API tokens. End one that is not needed any more.`,
  )
