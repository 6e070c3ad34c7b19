import { demoAccounts, demoPassword } from '@dmp/contract/demoAccounts'
import { northClinic, provider, regions, southClinic, westClinic } from '@dmp/contract/examples'
import { hashPassword } from '../../identity/password.ts'
import type { Dependencies } from '../../dependencies.ts'

export { demoPassword }

const organizations = { provider, north: northClinic, south: southClinic }

/** Image viewers expect `[0-9a-z]{32}`. */
const toDatastoreId = (n: number): string => String(n).padStart(32, 'd')

export async function seedDemoAccounts({ db }: Pick<Dependencies, 'db'>): Promise<void> {
  const now = new Date()
  const region_id = regions[0]?.id ?? null
  await db
    .insertInto('organizations')
    .values([
      { ...northClinic, region_id, status_by: 'System', datastore_id: toDatastoreId(2) },
      { ...southClinic, region_id, status_by: 'System', datastore_id: toDatastoreId(3) },
      { ...westClinic, region_id, status: 'Deactivated', status_by: 'System', datastore_id: null },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const existingIds = new Set((await db.selectFrom('users').select('id').execute()).map((row) => row.id))
  const missingAccounts = demoAccounts.filter((account) => !existingIds.has(account.id))
  if (missingAccounts.length === 0) return
  // All demo accounts share one password, which every start prints, so one hash is enough.
  const password_hash = await hashPassword(demoPassword)
  await db
    .insertInto('users')
    .values(
      missingAccounts.map(({ id: userId, email, role, organization, name, hasMfa, isNew }) => ({
        id: userId,
        organization_id: organizations[organization].id,
        email,
        civility: name[0],
        first_name: name[1],
        last_name: name[2],
        mobile: null,
        landline: null,
        fax: null,
        role,
        password_hash,
        // Ten years: the temporary password of the demo should not expire.
        temporary_until: isNew ? new Date(now.getTime() + 3650 * 86_400_000) : null,
        is_confirmed: !isNew,
        mfa_enabled: hasMfa ?? false,
        status_by: 'System',
        status_comment: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
