import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import { openings } from '../audit.repository.ts'
import type { JudgedAlert, Opening, Person } from './judging.ts'
import { isLikeOwnName } from './ownName.ts'

type Trx = Transaction<Tables>

/** Of one event: a download of thousands is many patients in any case. */
const mostScans = 2000
/** Longer than any window of a rule and the alert that it makes. */
export const keptDays = 3
/** Of one person: whoever opened more is told of long since. */
const mostKept = 10_000

interface Row {
  readonly at: Date
  readonly user_id: string
  readonly is_machine: boolean
  readonly last_name: string
  readonly patients: { readonly key: string; readonly name: string }[]
}

export interface OpeningOf extends Opening {
  readonly userId: string
}

/** What people opened between two places of an organization's chain. Machines with a token were made to read much. */
export async function readOpenings(
  trx: Trx,
  organizationId: string,
  after: number,
  until: number,
): Promise<OpeningOf[]> {
  const { rows } = await sql<Row>`
    select a.at, person.id as user_id, person.role = 'service_user' as is_machine,
      fold_text(person.last_name) as last_name, found.patients
    from audit a join users person on person.id = a.actor_id
    cross join lateral (
      select jsonb_agg(distinct jsonb_build_object(
          'key', encode(sha256(convert_to(
            case when m.patient_id <> '' then 'p' || m.patient_id else 's' || named.study_uid end, 'UTF8')), 'hex'),
          'name', coalesce(fold_text(m.patient_name), ''))) as patients
      from (select distinct coalesce(s.study_uid, a.subject ->> 'studyUID', scan.uid) as study_uid
        from unnest((audit_scans(a.subject))[1:${mostScans}::int]) scan (uid)
        left join series s on s.organization_id = ${organizationId}::uuid and s.series_uid = scan.uid) named
      left join study_summaries m on m.organization_id = ${organizationId}::uuid and m.study_uid = named.study_uid
    ) found
    where a.chain = ${organizationId}::text and a.position > ${after}::int and a.position <= ${until}::int
      and a.event = any(${[...openings]}::text[]) and a.outcome = 'success' and found.patients is not null
    order by a.position`.execute(trx)
  return rows.map(({ at, user_id: userId, is_machine: isOfMachine, last_name: lastName, patients }) => ({
    at,
    userId,
    isOfMachine,
    patients: patients.map(({ key, name }) => ({ key, isLikeOwnName: isLikeOwnName(name, lastName) })),
  }))
}

/** What is known of a person since the longest window began. */
export async function readPerson(trx: Trx, organizationId: string, userId: string, from: Date): Promise<Person> {
  const since = new Date(from.getTime() - (keptDays - 1) * 86_400_000)
  const opened = await trx
    .selectFrom('patient_openings')
    .select(['patient', 'opened_date'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('opened_date', '>=', since)
    .orderBy('opened_date', 'desc')
    .limit(mostKept)
    .execute()
  const alerts = await trx
    .selectFrom('access_alerts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('until_date', '>=', since)
    .execute()
  return {
    opened: new Map(opened.map(({ patient, opened_date }) => [patient, opened_date.getTime()])),
    alerts: alerts.map((row): JudgedAlert => ({
      id: row.id,
      rule: row.rule,
      patients: row.patients,
      patientKeys: new Set(row.patient_keys),
      first: row.first_date.getTime(),
      last: row.last_date.getTime(),
      until: row.until_date.getTime(),
      isChanged: false,
    })),
  }
}

export async function writeOpenings(
  trx: Trx,
  organizationId: string,
  userId: string,
  { opened }: Person,
  keys: readonly string[],
): Promise<void> {
  const dates = keys.map((key) => new Date(opened.get(key) ?? 0).toISOString())
  await sql`insert into patient_openings (organization_id, user_id, patient, opened_date)
    select ${organizationId}::uuid, ${userId}::uuid, seen.patient, seen.opened_date
    from unnest(${[...keys]}::text[], ${dates}::timestamptz[]) seen (patient, opened_date)
    on conflict (organization_id, user_id, patient) do update set opened_date = excluded.opened_date`.execute(trx)
}

const toValues = (alert: JudgedAlert) => ({
  patients: alert.patients,
  patient_keys: [...alert.patientKeys],
  last_date: new Date(alert.last),
})

/** Writes what changed; returns the ids of those that are new. */
export async function writeAlerts(
  trx: Trx,
  organizationId: string,
  userId: string,
  { alerts }: Person,
): Promise<string[]> {
  const added: string[] = []
  for (const alert of alerts.filter(({ isChanged }) => isChanged)) {
    if (alert.id !== undefined) {
      await trx.updateTable('access_alerts').set(toValues(alert)).where('id', '=', alert.id).execute()
      continue
    }
    const { id } = await trx
      .insertInto('access_alerts')
      .values({
        ...toValues(alert),
        organization_id: organizationId,
        user_id: userId,
        rule: alert.rule,
        first_date: new Date(alert.first),
        until_date: new Date(alert.until),
        acknowledged_date: null,
        acknowledged_by: null,
        note: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    added.push(id)
  }
  return added
}
