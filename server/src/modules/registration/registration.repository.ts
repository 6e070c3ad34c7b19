import { sql, type Selectable, type Transaction } from 'kysely'
import type { Listing, Parsed } from '@dmp/contract'
import type { Registration, RegistrationDraft, RegistrationStatusName, list } from '@dmp/contract/registration'
import type { Db } from '../../db/client.ts'
import { day, listed, text } from '../../db/listing.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleToStaff } from '../../core/tenant.ts'
import type { RegistrationTable } from '../../db/tables/registration.ts'

export type RegistrationRow = Selectable<RegistrationTable> & { region: string | null }

/** Registrations belong to no organization yet: they exist for the provider's staff only, whatever a policy says. */
function visible(db: Db, viewer: Viewer) {
  const rows = db
    .selectFrom('registrations')
    .leftJoin('regions', 'regions.id', 'registrations.region_id')
    .selectAll('registrations')
    .select('regions.name as region')
  return visibleToStaff(rows, viewer)
}

export const registrationOf = (row: RegistrationRow): Registration => ({
  id: row.id,
  createdDate: row.created_date.toISOString(),
  updatedDate: row.updated_date.toISOString(),
  region: row.region,
  organizationName: row.organization_name,
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
  const of = (column: string) => sql.ref<string>(`registrations.${column}`)
  const all = visible(db, viewer)
  const { rows, total } = await listed(
    input.status ? all.where('registrations.status', '=', input.status) : all,
    input,
    {
      shown: [
        of('status'),
        day(sql.ref('registrations.created_date'), input),
        of('first_name'),
        of('last_name'),
        of('email'),
        of('organization_name'),
      ],
      sorts: {
        status: text(of('status')),
        createdDate: of('created_date'),
        firstName: text(of('first_name')),
        lastName: text(of('last_name')),
        email: text(of('email')),
        organizationName: text(of('organization_name')),
      },
      otherwise: [sql`registrations.created_date desc`, sql`registrations.id`],
    },
  )
  return { rows: rows.map(registrationOf), total }
}

export async function getRegistrationRow(db: Db, viewer: Viewer, id: string): Promise<RegistrationRow> {
  const row = await visible(db, viewer).where('registrations.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Keeps the registration as it is until the transaction ends: of two decisions at once the second sees the first. */
export async function lockRegistration(trx: Transaction<Tables>, viewer: Viewer, id: string): Promise<RegistrationRow> {
  const { id: found } = await getRegistrationRow(trx, viewer, id)
  await trx.selectFrom('registrations').select('id').where('id', '=', found).forUpdate().execute()
  return getRegistrationRow(trx, viewer, found)
}

const sameEmail = (column: string, email: string) => sql<boolean>`lower(${sql.ref(column)}) = lower(${email}::text)`

/** Of an account, activated or not, or of a registration that nobody has decided on. */
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

/** Undefined when the address is known already; one statement, so that two forms at once make one registration. */
export async function addRegistration(
  trx: Transaction<Tables>,
  draft: RegistrationDraft,
  at: Date,
): Promise<string | undefined> {
  if (await isAddressKnown(trx, draft.email)) return undefined
  const region = await trx.selectFrom('regions').select('id').where('is_default', '=', true).executeTakeFirst()
  const added = await trx
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
  return added?.id
}

export interface Decision {
  readonly status: RegistrationStatusName
  readonly by: string
  readonly comment: string | null
  readonly at: Date
  readonly organizationId?: string
  readonly userId?: string
}

export async function decide(
  trx: Transaction<Tables>,
  id: string,
  { status, by, comment, at, organizationId, userId }: Decision,
): Promise<void> {
  await trx
    .updateTable('registrations')
    .set({
      status,
      status_by: by,
      status_comment: comment,
      status_date: at,
      updated_date: at,
      organization_id: organizationId ?? null,
      user_id: userId ?? null,
    })
    .where('id', '=', id)
    .execute()
}
