import { sql, type Selectable } from 'kysely'
import type { Source } from '../../db/client.ts'
import { notFound } from '../../core/errors.ts'
import type { UserTable } from '../../db/tables/account.ts'
import { endChallenges } from './challenges.ts'

export type Account = Selectable<UserTable> & {
  organization_name: string
  organization_status: 'Activated' | 'Deactivated'
}

const accounts = (db: Source) =>
  db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('users')
    .select(['organizations.name as organization_name', 'organizations.status as organization_status'])

export const findAccountByEmail = (db: Source, email: string): Promise<Account | undefined> =>
  accounts(db)
    .where(sql<string>`lower(users.email)`, '=', sql<string>`lower(${email})`)
    .executeTakeFirst()

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const findAccount = async (db: Source, id: string): Promise<Account | undefined> =>
  uuid.test(id) ? accounts(db).where('users.id', '=', id).executeTakeFirst() : undefined

export async function getAccount(db: Source, id: string): Promise<Account> {
  const account = await findAccount(db, id)
  if (!account) throw notFound()
  return account
}

/** Both the user and their organization have to be activated. */
export const mayEnter = (account: Account): boolean =>
  account.status === 'Activated' && account.organization_status === 'Activated'

/**
 * 5.01: a password that the person chose; it replaces a temporary one and confirms the account (6.07). What the one
 * before had begun ends with it.
 */
export async function setPassword(db: Source, id: string, password_hash: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash, temporary_until: null, is_confirmed: true, updated_date: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await endChallenges(db, id)
}
