import { sql, type Selectable, type Transaction } from 'kysely'
import type { Listing, Parsed } from '@dmp/contract'
import type { Registration, RegistrationDraft, RegistrationStatusName, list } from '@dmp/contract/registration'
import type { WaitCounts } from '@dmp/contract/waits'
import type { Db } from '../../db/client.ts'
import { nextUpdatedDate } from '../../db/changeConflict.ts'
import { day, listed, text } from '../../db/listing.ts'
import { countWaits, waitedFor } from '../../db/waits.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleToStaff } from '../../core/tenant.ts'
import type { RegistrationTable } from '../../db/tables/registration.ts'

export type RegistrationRow = Selectable<RegistrationTable> & { region: string | null }

/** Registrations belong to no organization yet, so only the provider's staff get them, whatever a policy allows. */
function visible(db: Db, viewer: Viewer) {
  const rows = db
    .selectFrom('registrations')
    .leftJoin('regions', 'regions.id', 'registrations.region_id')
    .selectAll('registrations')
    .select('regions.name as region')
  return visibleToStaff(rows, viewer)
}

export const toRegistration = (row: RegistrationRow): Registration => ({
  id: row.id,
  createdDate: row.created_date.toISOString(),
  updatedDate: row.updated_date.toISOString(),
  region: row.region,
  organizationName: row.organization_name,
  organizationId: row.organization_id,
  status: row.status,
  registrationStatus: {
    status: row.status,
    createdDate: row.status_date.toISOString(),
    createdByUser: row.status_by,
    comment: row.status_comment,
  },
  contactInfo: {
    civility: row.civility,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    mobile: row.mobile,
    landline: row.landline,
    fax: row.fax,
  },
})

export async function listRegistrations(
  db: Db,
  viewer: Viewer,
  input: Parsed<typeof list>,
): Promise<Listing<Registration>> {
  const column = (name: string) => sql.ref<string>(`registrations.${name}`)
  const registrations = visible(db, viewer)
  const chosen = input.status ? registrations.where('registrations.status', '=', input.status) : registrations
  const { rows, total } = await listed(
    input.wait
      ? chosen
          .where('registrations.status', '=', 'New')
          .where(waitedFor(sql.ref('registrations.created_date'), input.wait))
      : chosen,
    input,
    {
      shown: [
        column('status'),
        day(sql.ref('registrations.created_date'), input),
        column('first_name'),
        column('last_name'),
        column('email'),
        column('organization_name'),
      ],
      sorts: {
        status: text(column('status')),
        createdDate: column('created_date'),
        firstName: text(column('first_name')),
        lastName: text(column('last_name')),
        email: text(column('email')),
        organizationName: text(column('organization_name')),
      },
      otherwise: [sql`registrations.created_date desc`, sql`registrations.id`],
    },
  )
  return { rows: rows.map(toRegistration), total }
}

/** Pending registrations, by how long they have been waiting. */
export function countPendingRegistrations(db: Db, viewer: Viewer): Promise<WaitCounts> {
  const pending = db
    .selectFrom('registrations')
    .select('registrations.created_date')
    .where('registrations.status', '=', 'New')
  return countWaits(db, visibleToStaff(pending, viewer))
}

export async function getRegistrationRow(db: Db, viewer: Viewer, id: string): Promise<RegistrationRow> {
  const row = await visible(db, viewer).where('registrations.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The organization, activated or not, whose name an approval could not use again. */
export async function findSameName(db: Db, { status, organization_name }: RegistrationRow): Promise<string | null> {
  if (status === 'Approved') return null
  const organization = await db
    .selectFrom('organizations')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${organization_name}::text)`)
    .executeTakeFirst()
  return organization?.id ?? null
}

/** Locks the registration until the transaction ends, so that the second of two decisions sees the first. */
export async function lockRegistration(trx: Transaction<Tables>, viewer: Viewer, id: string): Promise<RegistrationRow> {
  const row = await visible(trx, viewer)
    .where('registrations.id', '=', id)
    .forUpdate('registrations')
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const sameEmail = (column: string, email: string) => sql<boolean>`lower(${sql.ref(column)}) = lower(${email}::text)`

/** Whether an account, activated or not, or a pending registration has the address. */
export async function isAddressKnown(db: Db, email: string): Promise<boolean> {
  const { known } = await db
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('users').select('users.id').where(sameEmail('users.email', email))),
          eb.exists(
            eb
              .selectFrom('registrations')
              .select('registrations.id')
              .where(sameEmail('registrations.email', email))
              .where('registrations.status', '=', 'New'),
          ),
        ])
        .as('known'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(known)
}

/**
 * Returns undefined if the address is already known. The unique index turns two simultaneous forms into one
 * registration.
 */
export async function addRegistration(
  trx: Transaction<Tables>,
  draft: RegistrationDraft & { readonly language: string | undefined },
  at: Date,
): Promise<string | undefined> {
  if (await isAddressKnown(trx, draft.email)) return undefined
  const region = await trx.selectFrom('regions').select('id').where('is_default', '=', true).executeTakeFirst()
  const addedRow = await trx
    .insertInto('registrations')
    .values({
      organization_name: draft.organizationName,
      region_id: region?.id ?? null,
      civility: draft.civility,
      first_name: draft.firstName,
      last_name: draft.lastName,
      email: draft.email,
      mobile: draft.mobile,
      landline: draft.landline,
      fax: draft.fax,
      language: draft.language ?? null,
      status: 'New',
      status_date: at,
      status_by: null,
      status_comment: null,
      organization_id: null,
      user_id: null,
      created_date: at,
      updated_date: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return addedRow?.id
}

export interface Decision {
  readonly status: RegistrationStatusName
  readonly by: string
  readonly comment: string | null
  readonly organizationId?: string
  readonly userId?: string
}

/** Returns the changed row. */
export async function decide(
  trx: Transaction<Tables>,
  registration: RegistrationRow,
  { status, by, comment, organizationId, userId }: Decision,
): Promise<RegistrationRow> {
  const statusDate = nextUpdatedDate(registration.updated_date)
  const changedColumns = await trx
    .updateTable('registrations')
    .set({
      status,
      status_by: by,
      status_comment: comment,
      status_date: statusDate,
      updated_date: statusDate,
      organization_id: organizationId ?? null,
      user_id: userId ?? null,
    })
    .where('id', '=', registration.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...registration, ...changedColumns }
}
