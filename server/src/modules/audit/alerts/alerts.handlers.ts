import type { audit, Listing, Parsed } from '@dmp/contract'
import type { AccessAlert } from '@dmp/contract/audit'
import { sql } from 'kysely'
import type { Viewer } from '../../../core/context.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { visibleTo } from '../../../core/tenant.ts'
import { isAlertFor } from '../../../db/alertAudience.ts'
import type { Source } from '../../../db/client.ts'
import { day, listed, text } from '../../../db/listing.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { fullName } from '../../../identity/user.ts'

type AlertsHandlers = Pick<Handlers<typeof audit>, 'listAlerts' | 'getAlert' | 'acknowledgeAlert'>

export const alertsHandlers = ({ db, write }: Pick<Dependencies, 'db' | 'write'>): AlertsHandlers => ({
  listAlerts: (input, { viewer }) => listAlerts(db, viewer, input),

  getAlert: ({ id }, { viewer }) => getAlert(db, viewer, id),

  acknowledgeAlert: ({ id, note }, context) =>
    write(context, async ({ trx, audit }) => {
      const { viewer } = context
      await getAlert(trx, viewer, id)
      const changed = await trx
        .updateTable('access_alerts')
        .set({
          acknowledged_date: sql<Date>`clock_timestamp()`,
          acknowledged_by: viewer.userId,
          note: note === '' ? null : note,
        })
        .where('id', '=', id)
        .where('acknowledged_date', 'is', null)
        .returning(['id', 'organization_id'])
        .executeTakeFirst()
      const alert = await getAlert(trx, viewer, id)
      if (!changed)
        throw new Refusal(409, 'UNCHANGED', 'Somebody has looked into it already. Reload the page to see who.')
      const subject = { alertId: changed.id }
      await audit({ event: 'AccessAlertAcknowledged', organizationId: changed.organization_id, subject })
      return alert
    }),
})

const personName = sql<string>`concat_ws(' ', person.civility, person.first_name, person.last_name)`

function visible(db: Source, viewer: Viewer) {
  const rows = db
    .selectFrom('access_alerts as alert')
    .innerJoin('users as person', 'person.id', 'alert.user_id')
    .innerJoin('organizations as organization', 'organization.id', 'alert.organization_id')
    .leftJoin('users as acknowledger', 'acknowledger.id', 'alert.acknowledged_by')
    .selectAll('alert')
    .select(['person.civility', 'person.first_name', 'person.last_name', 'person.email'])
    .select('organization.name as organization_name')
    .select(
      sql<string | null>`nullif(concat_ws(' ', acknowledger.civility, acknowledger.first_name,
        acknowledger.last_name), '')`.as('acknowledged_name'),
    )
    .where(isAlertFor(viewer.userId))
  return visibleTo(rows, viewer, 'alert.organization_id')
}

type Row = Awaited<ReturnType<ReturnType<typeof visible>['executeTakeFirstOrThrow']>>

const toAlert = (row: Row): AccessAlert => ({
  id: row.id,
  rule: row.rule,
  organizationId: row.organization_id,
  organization: row.organization_name,
  userId: row.user_id,
  person: fullName(row),
  personEmail: row.email,
  patients: row.patients,
  firstDate: row.first_date.toISOString(),
  lastDate: row.last_date.toISOString(),
  raisedDate: row.raised_date.toISOString(),
  acknowledgedDate: row.acknowledged_date?.toISOString() ?? null,
  acknowledgedBy: row.acknowledged_name,
  note: row.note,
})

async function listAlerts(
  db: Source,
  viewer: Viewer,
  { state, ...input }: Parsed<typeof audit.listAlerts>,
): Promise<Listing<AccessAlert>> {
  let matching = visible(db, viewer)
  if (state) matching = matching.where('alert.acknowledged_date', state === 'open' ? 'is' : 'is not', null)
  // Without a page the answer would be all of them.
  const { rows, total } = await listed(
    matching,
    { page: 1, ...input },
    {
      shown: [
        personName,
        sql.ref<string>('person.email'),
        sql.ref<string>('organization.name'),
        sql.ref<string>('alert.note'),
        day(sql.ref('alert.raised_date'), input),
      ],
      sorts: {
        raisedDate: sql.ref('alert.raised_date'),
        rule: sql`alert.rule collate "C"`,
        person: text(personName),
        patients: sql.ref('alert.patients'),
        organization: text(sql.ref('organization.name')),
      },
      otherwise: [sql`alert.raised_date desc`, sql`alert.id`],
    },
  )
  return { rows: rows.map(toAlert), total }
}

async function getAlert(db: Source, viewer: Viewer, id: string): Promise<AccessAlert> {
  const row = await visible(db, viewer).where('alert.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return toAlert(row)
}
