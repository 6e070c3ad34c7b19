import { sql, type RawBuilder } from 'kysely'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import type { Actor, AuditEntry } from './audit.ts'
import { isForAlert } from './alertAudience.ts'
import type { Source } from './client.ts'

/** Who has something new in the inbox: a person, the people of an organization, or (null) the provider's staff. */
export interface InboxAudience {
  readonly userId: string | null
  readonly organizationId: string | null
}

type Subject = Readonly<Record<string, unknown>>
/** What a recorded event tells, as rows `kind, user_id, organization_id, subject, state`. */
type Tell = (subject: Subject, organizationId: string | null) => RawBuilder<unknown> | undefined

const forStaff = (kind: string, id: unknown): RawBuilder<unknown> =>
  sql`select ${kind}::text, null::uuid, null::uuid, ${String(id)}::text, null::text`

/** Those who answer for a complaint and those who wait for it: whoever made it, and whoever has it in hand. */
const forComplaint = (kind: string, id: unknown, state: unknown): RawBuilder<unknown> =>
  sql`select ${kind}::text, person.id, c.organization_id, c.id::text, ${(state ?? null) as string | null}::text
    from complaints c
    cross join lateral (select distinct id from unnest(array[c.created_by_id, c.assignee_id]) id) person
    where c.id = ${id as string}::uuid and person.id is not null`

const tellOfWithdrawal: Tell = ({ by, part, releaseId }) =>
  by === 'automatic' ? forStaff('ReleaseWithdrawn', `${String(part)} ${String(releaseId)}`) : undefined

/**
 * The one place where facts of the inbox come from: each event of the audit that concerns somebody else, within its
 * transaction. Transfers end without one (`finishTransfer`).
 */
const tells: Partial<Record<AuditEvent, Tell>> = {
  // Studies that this very transaction added: a study that goes on growing is no news.
  ScansUploaded: ({ series, source }, organizationId) =>
    sql`select ${source === 'Transfer' ? 'TransferReceived' : 'ScanArrived'}::text, null::uuid, organization_id,
        study_uid, null::text
      from studies where organization_id = ${organizationId}::uuid and created_date = now() and study_uid in (
        select study_uid from series where organization_id = ${organizationId}::uuid
          and series_uid = any(${series as string[]}::text[]))`,
  // What search finds of earlier data was refused to nobody.
  ScanConflictFound: ({ studies }, organizationId) =>
    sql`select 'ScanConflict'::text, null::uuid, organization_id, study_uid, null::text
      from studies where organization_id = ${organizationId}::uuid and study_uid = any(${studies as string[]}::text[])`,
  ShareUsed: ({ shareId }) =>
    sql`select 'ShareOpened'::text, created_by, organization_id, id::text, null::text
      from scan_shares where id = ${shareId as string}::uuid`,
  RegistrationAdded: ({ registrationId }) =>
    registrationId === undefined ? undefined : forStaff('RegistrationWaiting', registrationId),
  // Whoever asked for it; the people of the server tell nobody of theirs.
  OrganizationExported: ({ exportId, state }) =>
    exportId !== undefined && state === 'whole'
      ? sql`select 'ExportReady'::text, user_id, null::uuid, organization_id::text, null::text
          from organization_exports where id = ${exportId as string}::uuid`
      : undefined,
  OrganizationImported: ({ importId, state }) =>
    importId !== undefined && (state === 'whole' || state === 'failed')
      ? sql`select 'ImportOver'::text, user_id, null::uuid, organization_id::text, ${state}::text
          from organization_imports where id = ${importId as string}::uuid`
      : undefined,
  ComplaintAdded: ({ complaintId }) => forStaff('ComplaintMade', complaintId),
  ComplaintStatusChanged: ({ complaintId, to }) => forComplaint('ComplaintChanged', complaintId, to),
  // What nobody has in hand is for all who could.
  ComplaintAnswered: ({ complaintId, isFromWriter }) =>
    sql`${forComplaint('ComplaintAnswered', complaintId, null)}
      union all select 'ComplaintAnswered'::text, null::uuid, null::uuid, id::text, null::text from complaints
        where id = ${complaintId as string}::uuid and assignee_id is null and ${isFromWriter === true}::boolean`,
  ComplaintAssigned: ({ complaintId, assigneeId, previousAssigneeId }) =>
    assigneeId === previousAssigneeId
      ? undefined
      : sql`select 'ComplaintAssigned'::text, assignee_id, organization_id, id::text, null::text
          from complaints where id = ${complaintId as string}::uuid and assignee_id is not null`,
  AccessAlertRaised: ({ alertId }) =>
    sql`select 'AccessAlert'::text, person.id, alert.organization_id, alert.id::text, alert.rule
      from access_alerts alert join users person on person.organization_id = alert.organization_id
      where alert.id = ${alertId as string}::uuid and ${isForAlert}`,
  ReleaseRolledBack: tellOfWithdrawal,
  CanaryStopped: tellOfWithdrawal,
  SignedIn: ({ sessionId, isNewPlace }) =>
    isNewPlace === true
      ? sql`select 'NewSignIn'::text, user_id, null::uuid, id::text, null::text
          from sessions where id = ${sessionId as string}::uuid`
      : undefined,
}

/** Writes down what a recorded event tells others; returns who has something new. */
export async function addInboxFacts(source: Source, actor: Actor, entry: AuditEntry): Promise<InboxAudience[]> {
  const organizationId = entry.organizationId === undefined ? (actor?.organizationId ?? null) : entry.organizationId
  const rows = tells[entry.event]?.(entry.subject ?? {}, organizationId)
  // Nobody signs in to their own account behind their own back.
  // Whoever uploads is told of a refusal by the answer; the owner of a machine is not.
  const isOfMachine = entry.event === 'ScanConflictFound' && actor?.ownerId !== undefined
  const actorId = entry.event === 'SignedIn' || isOfMachine ? null : (actor?.ownerId ?? actor?.userId ?? null)
  return rows ? insertFacts(source, rows, actorId, organizationId) : []
}

/** A study that was deleted and comes again is new again; a link that is opened again is so once more. */
async function insertFacts(
  source: Source,
  rows: RawBuilder<unknown>,
  actorId: string | null,
  aboutId: string | null,
): Promise<InboxAudience[]> {
  const { rows: added } = await sql<{ user_id: string | null; organization_id: string | null }>`
    insert into inbox_facts (kind, user_id, organization_id, subject, state, actor_id, about_organization_id)
      select told.*, ${actorId}::uuid, ${aboutId}::uuid
      from (${rows}) told (kind, user_id, organization_id, subject, state)
      where told.user_id is null or told.user_id is distinct from ${actorId}::uuid
    on conflict (coalesce(user_id, organization_id), kind, subject) where user_id is null or kind = 'ShareOpened'
      do update set created_date = clock_timestamp(), actor_id = excluded.actor_id,
        times = inbox_facts.times + case when excluded.user_id is null then 0 else 1 end
    returning user_id, organization_id`.execute(source)
  const audiences = new Map(
    added.map(({ user_id, organization_id }) => [
      user_id ?? organization_id,
      { userId: user_id, organizationId: organization_id },
    ]),
  )
  return [...audiences.values()]
}

/**
 * The order in which facts stay and are read: the newest first; for the provider's staff the newest of each customer
 * and kind, then the second of each, so that none pushes out another's.
 */
export const inboxTurn = sql`case when user_id is null and organization_id is null then row_number() over (
  partition by user_id, organization_id, about_organization_id, kind order by created_date desc, id desc) end`

/** Nobody reads further back (`limits.inboxMostEntries`, `limits.inboxDays`). */
export const forgetFacts = (days: number, most: number) => sql`
  delete from inbox_facts where created_date < now() - make_interval(days => ${days}) or id in (
    select id from (select id, row_number() over (
        partition by user_id, case when user_id is null then organization_id end
        order by turn, created_date desc, id desc) as place
      from (select *, ${inboxTurn} as turn from inbox_facts) turned) placed where place > ${most})`
