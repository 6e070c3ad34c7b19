import { limits, may, permits } from '@dmp/contract'
import { inboxKinds, inboxKindsFor, type InboxKind } from '@dmp/contract/inbox'
import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '../../core/context.ts'
import { inboxTurn } from '../../db/inboxFacts.ts'
import type { Source } from '../../db/client.ts'

/** Whose inbox it is: what of a viewer decides on it, so that mails are judged like pages. */
export type Reader = Pick<Viewer, 'userId' | 'organizationId' | 'policy' | 'isInternal'>

/** A fact that its reader may see now, with what there is to say of it. */
export interface InboxFact {
  readonly id: string
  readonly kind: InboxKind
  readonly subject: string
  readonly state: string | null
  readonly times: number
  readonly created_date: Date
  readonly organization_id: string | null
  readonly read_date: Date | null
  readonly patient_name: string | null
  readonly description: string | null
  readonly modalities: string[] | null
  readonly number: string | null
  readonly writer: string | null
  readonly destination: string | null
  readonly applicant: string | null
  readonly device: string | null
  readonly address: string | null
  readonly alert_patients: number | null
}

/** Half of them of the person alone: a busy day of scans does not push out what somebody answered. */
const mostOfAudience = limits.inboxMostEntries / 2

/** Everything that tells of a complaint. */
const ofComplaints = ['ComplaintMade', 'ComplaintChanged', 'ComplaintAssigned', 'ComplaintAnswered'] as const

const columns = sql.raw('id, kind, user_id, organization_id, subject, state, actor_id, times, created_date')

const newest = sql`order by created_date desc, id desc limit ${mostOfAudience}::int`

/**
 * Everything in the inbox of a person, newest first. What was deleted, decided, or is no longer theirs to see is not
 * there: rows are joined to what they tell of, behind the same wall as on its own page.
 */
export async function readFacts(db: Source, reader: Reader): Promise<InboxFact[]> {
  const kinds = inboxKindsFor(reader.policy)
  const ofKinds = sql`kind = any(${kinds}::text[])
    and created_date > now() - make_interval(days => ${limits.inboxDays}::int)`
  const notOwn = sql`user_id is null and actor_id is distinct from ${reader.userId}::uuid and ${ofKinds}`
  const forStaff = sql`union all (select ${columns} from (select *, ${inboxTurn} as turn from inbox_facts
    where ${reader.isInternal}::boolean and organization_id is null and ${notOwn}) turned
    order by turn, created_date desc, id desc limit ${mostOfAudience}::int)`
  const { rows } = await sql<InboxFact>`
    select f.id, f.kind, f.subject, f.state, f.times, f.created_date, f.organization_id,
      coalesce(r.read_date, case when f.created_date <= m.read_until then m.read_until end) as read_date,
      study.patient_name, study.description, study.modalities,
      'C-' || lpad(c.number::text, greatest(6, length(c.number::text)), '0') as number,
      case f.kind when 'ComplaintMade' then c.created_by when 'AccessAlert' then suspect.name else actor.name end
        as writer,
      alert.patients as alert_patients,
      coalesce(t.destination_name, exported.name) as destination, g.organization_name as applicant,
      device.device, device.address
    from (
      (select ${columns} from inbox_facts where user_id = ${reader.userId}::uuid and ${ofKinds} ${newest})
      union all (select ${columns} from inbox_facts where organization_id = ${reader.organizationId}::uuid
        and ${notOwn} ${newest})
      ${forStaff}) f
    left join inbox_reads r on r.user_id = ${reader.userId}::uuid and r.fact_id = f.id
      and r.read_date >= f.created_date
    left join inbox_marks m on m.user_id = ${reader.userId}::uuid
    left join scan_shares share on share.id = ${idOf('ShareOpened')}
    left join series shared on shared.organization_id = share.organization_id and shared.series_uid = share.series_uid
    left join study_summaries study on study.organization_id = f.organization_id and study.study_uid =
      case f.kind when 'ShareOpened' then shared.study_uid when 'ScanArrived' then f.subject
        when 'TransferReceived' then f.subject when 'ScanConflict' then f.subject end
    left join complaints c on c.id = ${idOf(...ofComplaints)}
    left join lateral (select civility || ' ' || first_name || ' ' || last_name as name from users
      where users.id = f.actor_id) actor on true
    left join access_alerts alert on alert.id = ${idOf('AccessAlert')}
    left join lateral (select civility || ' ' || first_name || ' ' || last_name as name from users
      where users.id = alert.user_id) suspect on true
    left join transfers t on t.id = ${idOf('TransferDone')}
    left join organizations exported on exported.id = ${idOf('ExportReady', 'ImportOver')}
    left join registrations g on g.id = ${idOf('RegistrationWaiting')} and g.status = 'New'
    left join sessions device on device.id = ${idOf('NewSignIn')} and device.user_id = ${reader.userId}::uuid
    where ${isThere(reader)}
    order by f.created_date desc, f.id desc`.execute(db)
  return rows
}

/** Subjects of other kinds are no ids. */
const idOf = (...kinds: readonly InboxKind[]): RawBuilder<unknown> =>
  sql`case when f.kind = any(${[...kinds]}::text[]) then f.subject::uuid end`

function isThere({ isInternal, organizationId, userId, policy }: Reader): RawBuilder<boolean> {
  const mayUpdate = permits(policy, may('Complaint', 'UpdateStatus'))
  const isBehindWall = (column: string) => sql`(${isInternal}::boolean or ${sql.ref(column)} = ${organizationId}::uuid)`
  return sql<boolean>`case
    when f.kind in ('ScanArrived', 'TransferReceived') then study.study_uid is not null
    when f.kind = 'ScanConflict' then study.study_uid is not null and exists (select from scan_conflicts x
      where x.organization_id = f.organization_id and x.study_uid = f.subject and x.settled_date is null)
    when f.kind = 'ShareOpened' then study.study_uid is not null and share.created_by = ${userId}::uuid
      and ${isBehindWall('share.organization_id')}
    when f.kind = 'TransferDone' then t.user_id = ${userId}::uuid and ${isBehindWall('t.organization_id')}
    when f.kind in ('ComplaintMade', 'ComplaintAssigned') then ${mayUpdate}::boolean and c.id is not null
      and ${isBehindWall('c.organization_id')}
    when f.kind in ('ComplaintChanged', 'ComplaintAnswered') then c.id is not null
      and ${isBehindWall('c.organization_id')}
    when f.kind = 'ExportReady' then ${isBehindWall('exported.id')} and exists (select from organization_exports x
      where x.organization_id = exported.id and x.state = 'Ready')
    when f.kind = 'ImportOver' then ${isBehindWall('exported.id')}
    when f.kind = 'RegistrationWaiting' then ${isInternal}::boolean and g.id is not null
    when f.kind = 'ReleaseWithdrawn' then ${isInternal}::boolean
    when f.kind = 'AccessAlert' then alert.id is not null and ${isBehindWall('alert.organization_id')}
    when f.kind = 'NewSignIn' then device.id is not null
    else false end`
}

/** What the person chose, of each kind that may reach them. */
export async function readChoices(db: Source, { userId, policy }: Pick<Reader, 'userId' | 'policy'>) {
  const rows = await db.selectFrom('inbox_choices').select(['kind', 'choice']).where('user_id', '=', userId).execute()
  const chosen = new Map(rows.map(({ kind, choice }) => [kind, choice]))
  return inboxKindsFor(policy).map((kind) => ({ kind, choice: chosen.get(kind) ?? inboxKinds[kind].otherwise }))
}
