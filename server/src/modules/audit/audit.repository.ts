import { limits, type Listing, type Parsed, type audit } from '@dmp/contract'
import type { Activity, AuditDetail, AuditRow } from '@dmp/contract/audit'
import { sql, type RawBuilder } from 'kysely'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import { hashAuditRow, type AuditKeys } from '../../db/auditHash.ts'
import type { Db } from '../../db/client.ts'
import { day, listed, text, type ListInput } from '../../db/listing.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import { namePeople, personText } from './auditedPeople.ts'
import { nameScans } from './auditedScans.ts'
import { studiesOfPatientOf } from '../scan/reading/patientStudies.ts'

/** The person, or the machine by the name of its API token or of its DICOM partner. */
const actorName = sql<string | null>`coalesce(
  nullif(concat_ws(' ', actor.civility, actor.first_name, actor.last_name), ''), machine.name || ' (API token)',
  partner.name || ' (DICOM)')`

/** The events of the viewer's organization; the provider's staff get every event. */
function visible(db: Db, viewer: Viewer) {
  const rows = db
    .selectFrom('audit')
    .leftJoin('users as actor', 'actor.id', 'audit.actor_id')
    .leftJoin('api_tokens as machine', 'machine.id', 'audit.actor_id')
    .leftJoin('dicom_partners as partner', 'partner.id', 'audit.actor_id')
    .leftJoin('organizations as organization', 'organization.id', 'audit.organization_id')
    .selectAll('audit')
    .select(['actor.email as actor_email', 'organization.name as organization_name'])
    .select(actorName.as('actor_name'))
  return visibleTo(rows, viewer, 'audit.organization_id')
}

type Row = Awaited<ReturnType<ReturnType<typeof visible>['executeTakeFirstOrThrow']>>

const toAuditRow = (row: Row): AuditRow => ({
  id: row.id,
  at: row.at.toISOString(),
  event: row.event,
  outcome: row.outcome,
  actor: row.actor_name,
  actorEmail: row.actor_email,
  organization: row.organization_name,
  subject: Object.entries(row.subject).map(([key, value]) => ({ key, value: formatValue(value) })),
  address: row.address,
})

/** Somebody looked at a page of a list. */
const listView: AuditEvent = 'ScansQueried'
/** Somebody had a scan in front of them, or took it along. */
export const openings: readonly AuditEvent[] = ['ScanViewed', 'ScanDownloaded']

export type AuditFilters = Omit<
  Parsed<typeof audit.list>,
  'page' | 'pageSize' | 'search' | 'sort' | 'direction' | 'timeZone'
>

/** The studies that are asked about; undefined where the question is about none. */
function findAsked(viewer: Viewer, { organizationId, studyUID, isPatient }: AuditFilters) {
  if (!studyUID) return undefined
  return isPatient
    ? studiesOfPatientOf(organizationId ?? viewer.organizationId, studyUID)
    : sql<string[]>`array[${studyUID}::text]`
}

/**
 * Their series are looked up now: most events name one only by its own UID. The events are looked up first, because the
 * database would rather walk all of them by time; and UIDs are compared as the index of `audit_scans` has them, which
 * would not be used otherwise.
 */
export function isAbout(organizationId: string, studies: RawBuilder<string[]>): RawBuilder<boolean> {
  // Whose events they are is asked outside, because its index would be taken in place of that of the UIDs.
  return sql<boolean>`audit.organization_id = ${organizationId} and audit.id = any(array(
    select about.id from audit about
    where about.event <> ${sql.lit(listView)} and audit_scans(about.subject) <> '{}' and audit_scans(about.subject) && (
      select array(select unnest(w.studies) collate "default" union select s.series_uid collate "default"
        from series s where s.organization_id = ${organizationId} and s.study_uid = any(w.studies))
      from (select ${studies} as studies) w)))`
}

function selectFiltered(db: Db, viewer: Viewer, filters: AuditFilters) {
  const { event, outcome, from, to, lists, opened, actorId, affectedId, organizationId } = filters
  const studies = findAsked(viewer, filters)
  let rows = visible(db, viewer)
  if (event) rows = rows.where('audit.event', '=', event)
  if (lists === 'hidden') rows = rows.where('audit.event', '!=', listView)
  if (opened) rows = rows.where('audit.event', 'in', openings)
  if (outcome) rows = rows.where('audit.outcome', '=', outcome)
  if (from) rows = rows.where('audit.at', '>=', new Date(from))
  if (to) rows = rows.where('audit.at', '<', new Date(to))
  if (actorId) rows = rows.where('audit.actor_id', '=', actorId)
  if (affectedId) rows = rows.where(sql<boolean>`audit.subject ->> 'userId' = ${affectedId.toLowerCase()}::text`)
  if (organizationId) rows = rows.where('audit.organization_id', '=', organizationId)
  if (studies) rows = rows.where(isAbout(organizationId ?? viewer.organizationId, studies))
  return rows
}

type Input = AuditFilters & ListInput<'at' | 'event' | 'outcome' | 'actor' | 'organization' | 'address'>

export async function listAudit(db: Db, viewer: Viewer, input: Input): Promise<Listing<AuditRow>> {
  const { rows, total } = await listRows(db, viewer, input)
  return { rows: await withPeople(db, viewer, rows), total }
}

/** The rows, each with the person that it is about. */
async function withPeople(db: Db, viewer: Viewer, rows: readonly Row[]): Promise<AuditRow[]> {
  const personOf = await namePeople(db, viewer, rows)
  return rows.map((row) => ({ ...toAuditRow(row), affected: personOf(row) }))
}

/** Never views of lists: whoever asks what happened to a scan means somebody who had it in front of them. */
export async function listActivity(db: Db, viewer: Viewer, input: Input): Promise<Listing<Activity>> {
  const { rows, total } = await listRows(db, viewer, { ...input, lists: 'hidden' })
  const scanOf = await nameScans(db, viewer, rows, findAsked(viewer, input))
  const personOf = await namePeople(db, viewer, rows)
  return {
    rows: rows.map((row) => ({ ...toAuditRow(row), affected: personOf(row), scan: scanOf(row) })),
    total,
  }
}

/** Events that one statement may walk, and those that an export reads at once. */
export const auditLimits = { walked: 20_000, slice: 10_000 }

/** Whether every event of the filters is read, and not only those of a page. */
export const isWalk = ({ search, sort = 'at' }: Pick<Input, 'search' | 'sort'>): boolean =>
  Boolean(search) || sort !== 'at'

/** Choosing is quicker than turning over a thousand pages, and costs nobody else anything. */
function refuseFar(): never {
  const first = `Only the first and the last ${auditLimits.walked.toLocaleString('en')} events can be paged.`
  const message = `${first} Choose a period or an event, or sort the other way round.`
  throw new Refusal(400, 'TOO_MANY', message, [{ path: 'page', message }])
}

/** A trail of years holds up everybody while it is searched, where the database has one thread (P18). */
async function assertWalkable(db: Db, viewer: Viewer, input: Input): Promise<void> {
  if ((await countRows(db, viewer, input)) <= auditLimits.walked) return
  const found = `There are more than ${auditLimits.walked.toLocaleString('en')} events.`
  const message = `${found} Choose a period or an event first, then search or sort them.`
  throw new Refusal(400, 'TOO_MANY', message, [{ path: 'search', message }])
}

/** The newest events of the filters, at most so many, read in slices so that others are served in between. */
export async function readAudit(db: Db, viewer: Viewer, input: Input, most: number): Promise<AuditRow[]> {
  if (isWalk(input)) return (await listAudit(db, viewer, { ...input, page: 1, pageSize: most })).rows.slice()
  const rows: AuditRow[] = []
  let last: { readonly id: string; readonly cursor: string } | undefined
  for (;;) {
    let events = selectFiltered(db, viewer, input)
      // A Date has milliseconds only.
      .select(sql<string>`audit.at::text`.as('cursor'))
      .orderBy('audit.at', 'desc')
      .orderBy('audit.id', 'desc')
    if (last)
      events = events.where(sql<boolean>`(audit.at, audit.id) < (${last.cursor}::timestamptz, ${last.id}::uuid)`)
    const slice = await events.limit(Math.min(auditLimits.slice, most - rows.length)).execute()
    rows.push(...(await withPeople(db, viewer, slice)))
    last = slice.at(-1)
    if (!last || rows.length >= most || slice.length < auditLimits.slice) return rows
  }
}

async function listRows(db: Db, viewer: Viewer, input: Input): Promise<Listing<Row>> {
  const { page = 1, pageSize = limits.defaultPageSize } = input
  if (isWalk(input)) await assertWalkable(db, viewer, input)
  if ((page - 1) * pageSize < auditLimits.walked) return listNear(db, viewer, input)
  if (isWalk(input)) refuseFar()
  return listFromEnd(db, viewer, input, { page, pageSize })
}

/** A page at the end of a long list is one at the beginning of the list the other way round. */
async function listFromEnd(
  db: Db,
  viewer: Viewer,
  input: Input,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<Listing<Row>> {
  const total = await countRows(db, viewer, input)
  const first = (page - 1) * pageSize
  if (first >= total) return { rows: [], total }
  const behind = Math.max(0, total - first - pageSize)
  if (behind >= auditLimits.walked) refuseFar()
  const isAscending = input.direction !== 'desc' && input.sort === 'at'
  const rows = await selectFiltered(db, viewer, input)
    .orderBy('audit.at', isAscending ? 'desc' : 'asc')
    .orderBy('audit.id', 'desc')
    .limit(Math.min(pageSize, total - first))
    .offset(behind)
    .execute()
  return { rows: rows.toReversed(), total }
}

async function countRows(db: Db, viewer: Viewer, input: Input): Promise<number> {
  const { count } = await selectFiltered(db, viewer, input)
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow()
  return count
}

function listNear(db: Db, viewer: Viewer, input: Input): Promise<Listing<Row>> {
  return listed(selectFiltered(db, viewer, input), input, {
    shown: [
      sql.ref<string>('audit.event'),
      sql.ref<string>('audit.outcome'),
      actorName,
      sql.ref<string>('actor.email'),
      sql.ref<string>('organization.name'),
      sql.ref<string>('audit.address'),
      sql<string>`audit.subject::text`,
      personText(viewer),
      day(sql.ref('audit.at'), input),
    ],
    sorts: {
      at: sql.ref('audit.at'),
      event: text(sql.ref('audit.event')),
      outcome: text(sql.ref('audit.outcome')),
      actor: text(actorName),
      organization: text(sql.ref('organization.name')),
      address: text(sql.ref('audit.address')),
    },
    otherwise: [sql`audit.at desc`, sql`audit.id`],
  })
}

/**
 * Returns the event with its position in the hash chain. It is intact if its content still gives its hash and it names
 * the hash of the row before it.
 */
export async function getAudit(db: Db, keys: AuditKeys, viewer: Viewer, id: string): Promise<AuditDetail> {
  const row = await visible(db, viewer).where('audit.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  const previousRow = await db
    .selectFrom('audit')
    .select('hash')
    .where('chain', '=', row.chain)
    .where('position', '=', row.position - 1)
    .executeTakeFirst()
  const isIntact = hashAuditRow(row, keys) === row.hash && row.previous_hash === (previousRow?.hash ?? '')
  const personOf = await namePeople(db, viewer, [row])
  return {
    ...toAuditRow(row),
    affected: personOf(row),
    requestId: row.request_id,
    position: row.position,
    hash: row.hash,
    previousHash: row.previous_hash,
    isIntact,
  }
}

/** Formats a subject's value for people: a list becomes text with commas. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
