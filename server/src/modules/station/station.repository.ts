import { limits, type Listing, type Parsed, type station } from '@dmp/contract'
import type { StatusName as TokenStatusName } from '@dmp/contract/apiToken'
import type { Station, StationReport, StatusName } from '@dmp/contract/station'
import { compareVersions } from '@dmp/contract/versions'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Source } from '../../db/client.ts'
import { day, listed, text } from '../../db/listing.ts'
import type { Tables } from '../../db/tables/index.ts'
import { apiTokenStatus } from '../../identity/apiTokenStatus.ts'

type Trx = Transaction<Tables>

const stationStatus: RawBuilder<StatusName> = sql<StatusName>`case
  when stations.last_seen_date < now() - make_interval(mins => ${limits.stationSilentMinutes}) then 'Silent'
  when stations.is_paused then 'Paused'
  when stations.failed > 0 then 'Failing'
  when stations.waiting > 0 then 'Sending'
  when stations.refused > 0 then 'Refused'
  else 'Idle' end`

/** Null for a person. */
const tokenStatus = sql<TokenStatusName | null>`case when api_tokens.id is not null then ${apiTokenStatus} end`

/** What the screen says: a station whose API token is good no longer is not as it told last. */
const shownStatus = sql<string>`case
  when ${tokenStatus} <> 'Active' then 'Token ' || lower(${tokenStatus})
  else ${stationStatus} end`

const accountName = sql<string>`coalesce(api_tokens.name, concat_ws(' ', person.civility, person.first_name, person.last_name))`

const selectStations = (db: Source) =>
  db
    .selectFrom('stations')
    .innerJoin('organizations as organization', 'organization.id', 'stations.organization_id')
    .leftJoin('api_tokens', 'api_tokens.id', 'stations.account_id')
    .leftJoin('users as owner', 'owner.id', 'api_tokens.owner_id')
    .leftJoin('users as person', 'person.id', 'stations.account_id')
    .selectAll('stations')
    .select(['organization.name as organization_name', stationStatus.as('status'), accountName.as('account_name')])
    .select([
      'api_tokens.id as token_id',
      tokenStatus.as('token_status'),
      'api_tokens.expires_date as token_expires_date',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof selectStations>['executeTakeFirstOrThrow']>>

const toStation = (row: Row, offered: string | undefined): Station => ({
  id: row.id,
  name: row.name,
  status: row.status,
  version: row.version,
  isOutdated: offered !== undefined && compareVersions(row.version, offered) < 0,
  system: row.system,
  waiting: row.waiting,
  waitingBytes: Number(row.waiting_bytes),
  sent: row.sent,
  refused: row.refused,
  failed: row.failed,
  organization: row.organization_name,
  account: row.account_name,
  ...(row.token_id !== null && { tokenId: row.token_id }),
  ...(row.token_status !== null && { tokenStatus: row.token_status }),
  ...(row.token_expires_date !== null && { tokenExpiresDate: row.token_expires_date.toISOString() }),
  isDeidentifying: row.is_deidentifying,
  address: row.address,
  firstSeenDate: row.first_seen_date.toISOString(),
  lastSeenDate: row.last_seen_date.toISOString(),
})

/** `offered` is the version that the server hands out. */
export async function listStations(
  db: Source,
  viewer: Viewer,
  input: Parsed<typeof station.list>,
  offered: string | undefined,
): Promise<Listing<Station>> {
  const { rows, total } = await listed(visibleTo(selectStations(db), viewer, 'stations.organization_id'), input, {
    shown: [
      sql.ref<string>('stations.name'),
      shownStatus,
      sql.ref<string>('stations.version'),
      sql.ref<string>('stations.system'),
      accountName,
      sql.ref<string>('stations.address'),
      sql.ref<string>('organization.name'),
      day(sql.ref('stations.last_seen_date'), input),
    ],
    sorts: {
      name: text(sql.ref('stations.name')),
      status: text(shownStatus),
      version: text(sql.ref('stations.version')),
      waiting: sql.ref('stations.waiting'),
      failed: sql.ref('stations.failed'),
      refused: sql.ref('stations.refused'),
      organization: text(sql.ref('organization.name')),
      lastSeenDate: sql.ref('stations.last_seen_date'),
    },
    otherwise: [sql`stations.last_seen_date desc`, sql`stations.id`],
  })
  return { rows: rows.map((row) => toStation(row, offered)), total }
}

interface Told {
  readonly organizationId: string
  readonly accountId: string
  readonly address: string
  readonly report: StationReport
}

const toColumns = ({ address, report }: Told) => ({
  name: report.name,
  version: report.version,
  system: report.system,
  waiting: report.waiting,
  waiting_bytes: report.waitingBytes,
  sent: report.sent,
  refused: report.refused,
  failed: report.failed,
  is_paused: report.isPaused,
  is_deidentifying: report.isDeidentifying ?? false,
  address,
  last_seen_date: sql<Date>`now()`,
})

/** Returns whether the station was known. */
export async function renewStation(db: Source, told: Told): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stations')
    .set(toColumns(told))
    .where('account_id', '=', told.accountId)
    .where('machine_id', '=', told.report.machineId)
    .where('organization_id', '=', told.organizationId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Throws 409 for one too many. Others of the organization wait until the commit. Returns its id: that of before, where
 * the same machine comes with a new credential.
 */
export async function addStation(trx: Trx, told: Told): Promise<string> {
  const { organizationId, accountId } = told
  await trx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const known = await takeOver(trx, told)
  if (known !== undefined) return known
  const { all, own } = await trx
    .selectFrom('stations')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where account_id = ${accountId}))::int`.as('own'),
    ])
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (all >= limits.stationsPerOrganization || own >= limits.stationsPerAccount) throw tooMany()
  const { id } = await trx
    .insertInto('stations')
    .values({
      organization_id: organizationId,
      account_id: accountId,
      machine_id: told.report.machineId,
      ...toColumns(told),
    })
    // Two reports of a new station at the same moment are one station.
    .onConflict((conflict) => conflict.columns(['account_id', 'machine_id']).doUpdateSet(toColumns(told)))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The row of a machine whose credential has ended goes over to its new one. Nobody takes a row by naming its machine:
 * as long as the earlier credential is good, the row is that one's, and the other gets a row of its own.
 */
async function takeOver(trx: Trx, told: Told): Promise<string | undefined> {
  const { organizationId, accountId, report } = told
  const isOver = sql<boolean>`not exists (select from users where users.id = stations.account_id) and not exists (
    select from api_tokens where api_tokens.id = stations.account_id
      and api_tokens.ended_date is null and api_tokens.expires_date > now())`
  const [latest, ...others] = await trx
    .selectFrom('stations')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('machine_id', '=', report.machineId)
    .where('account_id', '<>', accountId)
    .where(isOver)
    .orderBy('last_seen_date', 'desc')
    .execute()
  if (latest === undefined) return undefined
  if (others.length > 0)
    await trx
      .deleteFrom('stations')
      .where(
        'id',
        'in',
        others.map(({ id }) => id),
      )
      .execute()
  await trx
    .updateTable('stations')
    .set({ account_id: accountId, ...toColumns(told) })
    .where('id', '=', latest.id)
    .execute()
  return latest.id
}

const tooMany = (): Refusal =>
  new Refusal(
    409,
    'TOO_MANY',
    `An organization has at most ${limits.stationsPerOrganization} stations, an account ${limits.stationsPerAccount}. ` +
      'Remove those that are not there any more.',
  )

/** One that the viewer may see, or 404. */
export async function removeStation(
  trx: Trx,
  viewer: Viewer,
  id: string,
): Promise<{ readonly name: string; readonly organizationId: string }> {
  const row = await visibleTo(selectStations(trx), viewer, 'stations.organization_id')
    .where('stations.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  await trx.deleteFrom('stations').where('id', '=', id).execute()
  return { name: row.name, organizationId: row.organization_id }
}
