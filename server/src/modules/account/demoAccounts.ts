import { demoAccounts, demoPassword } from '@dmp/contract/demoAccounts'
import { northClinic, provider, regions, southClinic, westClinic } from '@dmp/contract/examples'
import { hashPassword } from '../../identity/password.ts'
import type { SeedPart } from '../seed.ts'

export { demoPassword }

const organizations = { provider, north: northClinic, south: southClinic }

/** `[0-9a-z]{32}`: the shape that viewers of this family expect. */
const datastore = (n: number): string => String(n).padStart(32, 'd')

export const seedDemoAccounts: SeedPart = async ({ db }) => {
  const now = new Date()
  const region_id = regions[0]?.id ?? null
  await db
    .insertInto('organizations')
    .values([
      { ...northClinic, region_id, status_by: 'System', datastore_id: datastore(2) },
      { ...southClinic, region_id, status_by: 'System', datastore_id: datastore(3) },
      { ...westClinic, region_id, status: 'Deactivated', status_by: 'System', datastore_id: null },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const known = new Set((await db.selectFrom('users').select('id').execute()).map((row) => row.id))
  const missing = demoAccounts.filter((account) => !known.has(account.id))
  if (missing.length === 0) return
  // One hash for all: their password is printed at every start anyway.
  const password_hash = await hashPassword(demoPassword)
  await db
    .insertInto('users')
    .values(
      missing.map(({ id: userId, email, role, organization, name, hasMfa, isNew }) => ({
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
        // The demo's temporary password does not expire in practice.
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
