import { providerOrganizationId, type Readiness, type Setup, type TestResult } from '@dmp/contract/organization'
import { sql } from 'kysely'
import type { Db, Source } from '../../../db/client.ts'
import type { SetupFactName } from '../../../db/tables/setup.ts'
import { findSample } from '../../scan/sample/sample.repository.ts'
import type { OrganizationRow } from '../organization.repository.ts'

export async function keepFact(
  db: Source,
  organizationId: string,
  name: SetupFactName,
  { isGood, sentence = '' }: { isGood: boolean; sentence?: string },
): Promise<void> {
  const fact = { is_good: isGood, sentence, date: sql<Date>`now()` }
  await db
    .insertInto('setup_facts')
    .values({ organization_id: organizationId, name, ...fact })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet(fact))
    .execute()
}

interface Facts {
  readonly tests: Readonly<Partial<Record<SetupFactName, TestResult>>>
  readonly isDismissed: boolean
}

export async function readFacts(db: Source, organizationId: string): Promise<Facts> {
  const rows = await db.selectFrom('setup_facts').selectAll().where('organization_id', '=', organizationId).execute()
  return {
    tests: Object.fromEntries(
      rows.map((row) => [
        row.name,
        { isGood: row.is_good, sentence: row.sentence, date: new Date(row.date).toISOString() },
      ]),
    ),
    isDismissed: rows.some(({ name, is_good: isGood }) => name === 'dismissed' && isGood),
  }
}

/** What a customer has, from the rows of the moment. */
export async function readReadiness(db: Db, organization: OrganizationRow): Promise<Readiness> {
  const { id } = organization
  const { rows } = await sql<{ people: number; confirmed: number; series: number }>`select
    (select count(*)::int from users where organization_id = ${id} and status = 'Activated'
      and role <> 'service_user') as people,
    (select count(*)::int from users where organization_id = ${id} and status = 'Activated'
      and role in ('admin', 'super_admin', 'sys_admin') and is_confirmed) as confirmed,
    coalesce((select series::int from scan_totals where organization_id = ${id}), 0) as series`.execute(db)
  const { people = 0, confirmed = 0, series = 0 } = rows[0] ?? {}
  const licensed = await db
    .selectFrom('organization_licenses as assigned')
    .innerJoin('licenses', 'licenses.id', 'assigned.license_id')
    .select('licenses.saas')
    .where('assigned.organization_id', '=', id)
    .where('assigned.is_active', '=', true)
    .orderBy('licenses.position')
    .execute()
  const sample = await findSample(db, id)
  const { isDismissed } = await readFacts(db, id)
  return {
    status: organization.status,
    hasDatastore: organization.datastore_id !== null,
    saas: licensed.map(({ saas }) => saas),
    people,
    confirmedAdministrators: confirmed,
    invitation: await findInvitation(db, id),
    scans: Math.max(0, series - (sample ? 1 : 0)),
    sample: sample ?? null,
    isDismissed,
  }
}

/** The newest administrator who has not chosen a password yet, and whether the newest mail to them has left. */
async function findInvitation(db: Db, organizationId: string): Promise<Readiness['invitation']> {
  const invited = await db
    .selectFrom('users')
    .select(['email', sql<boolean>`temporary_until < now()`.as('is_over')])
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'admin')
    .where('status', '=', 'Activated')
    .where('is_confirmed', '=', false)
    .where('temporary_until', 'is not', null)
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!invited) return null
  if (invited.is_over) return { email: invited.email, mail: 'over' }
  const mail = await db
    .selectFrom('mails')
    .select('sent_date')
    .where(sql<boolean>`lower(recipient) = lower(${invited.email}::text)`)
    .orderBy('created_date', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { email: invited.email, mail: mail === undefined ? 'none' : mail.sent_date ? 'sent' : 'waiting' }
}

export async function hasSentMail(db: Db): Promise<boolean> {
  const sent = await db.selectFrom('mails').select('id').where('sent_date', 'is not', null).limit(1).executeTakeFirst()
  return sent !== undefined
}

/** What the provider has done for its customers so far. */
export async function readProgress(db: Db): Promise<Pick<Setup, 'administrators' | 'customers' | 'firstCustomer'>> {
  const { administrators } = await db
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('administrators'))
    .where('organization_id', '=', providerOrganizationId)
    .where('role', 'in', ['super_admin', 'sys_admin'])
    .where('status', '=', 'Activated')
    .executeTakeFirstOrThrow()
  const { customers } = await db
    .selectFrom('organizations')
    .select(sql<number>`count(*)::int`.as('customers'))
    .where('id', '!=', providerOrganizationId)
    .executeTakeFirstOrThrow()
  const first = await db
    .selectFrom('organizations')
    .leftJoin('scan_totals', 'scan_totals.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.name', 'organizations.datastore_id', 'scan_totals.series'])
    .where('organizations.id', '!=', providerOrganizationId)
    .orderBy(sql`coalesce(scan_totals.series, 0) > 0`, 'desc')
    .orderBy('organizations.created_date')
    .orderBy('organizations.id')
    .limit(1)
    .executeTakeFirst()
  return {
    administrators,
    customers,
    firstCustomer: first
      ? {
          id: first.id,
          name: first.name,
          hasDatastore: first.datastore_id !== null,
          hasPictures: Number(first.series ?? 0) > 0,
        }
      : null,
  }
}
