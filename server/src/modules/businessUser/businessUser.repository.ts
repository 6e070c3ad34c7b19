import { sql, type Selectable, type Transaction, type UpdateObject } from 'kysely'
import type { Activation, Listing, Parsed, ProfileDraft, RoleName, User } from '@dmp/contract'
import type { list } from '@dmp/contract/businessUser'
import { roleDisplayNames } from '@dmp/contract/policy'
import type { Db } from '../../db/client.ts'
import { listed, text } from '../../db/listing.ts'
import { nextUpdatedDate } from '../../db/changeConflict.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { UserTable } from '../../db/tables/account.ts'
import { endChallenges } from '../account/challenges.ts'
import type { Temporary } from '../account/temporaryPassword.ts'
import { toUser } from '../../identity/user.ts'

export type UserRow = Selectable<UserTable> & { organization_name: string }

const userType = sql<string>`case users.role ${sql.join(
  Object.entries(roleDisplayNames).map(([name, displayName]) => sql`when ${name} then ${displayName}`),
  sql` `,
)} end`

/** The users of the viewer's organization; the provider's staff get every user. */
function visible(db: Db, viewer: Viewer) {
  const rows = db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('users')
    .select('organizations.name as organization_name')
  return visibleTo(rows, viewer, 'users.organization_id')
}

export async function listUsers(db: Db, viewer: Viewer, input: Parsed<typeof list>): Promise<Listing<User>> {
  const { rows, total } = await listed(visible(db, viewer), input, {
    shown: [
      sql.ref('users.status'),
      sql.ref('organizations.name'),
      sql.ref('users.first_name'),
      sql.ref('users.last_name'),
      userType,
      sql.ref('users.email'),
    ],
    sorts: {
      status: text(sql.ref('users.status')),
      organization: text(sql.ref('organizations.name')),
      firstName: text(sql.ref('users.first_name')),
      lastName: text(sql.ref('users.last_name')),
      userType: text(userType),
      email: text(sql.ref('users.email')),
    },
    otherwise: [sql`lower(users.last_name) collate "C"`, sql`lower(users.first_name) collate "C"`, sql`users.id`],
  })
  return { rows: rows.map((row) => toUser(row)), total }
}

export async function getUserRow(db: Db, viewer: Viewer, id: string): Promise<UserRow> {
  const row = await visible(db, viewer).where('users.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Locks the user until the transaction ends, so that simultaneous changes wait for each other. */
export async function lockUser(trx: Transaction<Tables>, viewer: Viewer, id: string): Promise<UserRow> {
  const row = await visible(trx, viewer).where('users.id', '=', id).forUpdate('users').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** Ignores case, so that no user gets two accounts by typing an address differently. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('users')
      .select('id')
      .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email}::text)`)
      .executeTakeFirst()) !== undefined
  )
}

export interface Contact extends Omit<ProfileDraft, 'civility'> {
  readonly civility: string
}

export interface NewUser extends Contact {
  readonly email: string
  readonly organizationId: string
  readonly role: RoleName
  readonly temporary: Temporary['columns']
  /** Shown name of the person who added the user. */
  readonly by: string
}

const toContactColumns = ({ civility, firstName, lastName, mobile, landline, fax }: Contact) => ({
  civility,
  first_name: firstName,
  last_name: lastName,
  mobile,
  landline,
  fax,
})

export function addUser(trx: Transaction<Tables>, user: NewUser): Promise<Selectable<UserTable>> {
  return trx
    .insertInto('users')
    .values({
      ...toContactColumns(user),
      organization_id: user.organizationId,
      email: user.email,
      role: user.role,
      ...user.temporary,
      status_by: user.by,
      status_comment: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const setContact = (trx: Transaction<Tables>, user: UserRow, draft: ProfileDraft): Promise<UserRow> =>
  update(trx, user, toContactColumns(draft))

export function setStatus(trx: Transaction<Tables>, user: UserRow, status: Activation, by: string): Promise<UserRow> {
  const statusDate = nextUpdatedDate(user.updated_date)
  return update(trx, user, {
    status,
    status_id: sql<string>`gen_random_uuid()`,
    status_date: statusDate,
    status_by: by,
    status_comment: null,
    updated_date: statusDate,
  })
}

type Columns = UpdateObject<Tables, 'users'>

/** Returns the changed row, which saves reading it again. */
async function update(trx: Transaction<Tables>, user: UserRow, columns: Columns): Promise<UserRow> {
  const changedColumns = await trx
    .updateTable('users')
    .set({ updated_date: nextUpdatedDate(user.updated_date), ...columns })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...user, ...changedColumns }
}

export async function setTemporaryPassword(
  trx: Transaction<Tables>,
  user: UserRow,
  { columns }: Temporary,
): Promise<void> {
  await update(trx, user, columns)
  // What the previous password had begun ends here.
  await endChallenges(trx, user.id)
}

/**
 * Locks the activated super administrators, so that two of them cannot deactivate each other at once. Returns their
 * number.
 */
export async function lockSuperAdmins(trx: Transaction<Tables>): Promise<number> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'super_admin')
    .where('status', '=', 'Activated')
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.length
}

/** 7.20: every user of the web application. Service users read no mail. */
export function listTermsReaders(
  trx: Transaction<Tables>,
): Promise<Pick<UserRow, 'email' | 'civility' | 'first_name' | 'last_name'>[]> {
  return trx
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['users.email', 'users.civility', 'users.first_name', 'users.last_name'])
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .where('users.role', '!=', 'service_user')
    .orderBy('users.id')
    .execute()
}
