import type { RoleName } from '@dmp/contract'
import { northClinic, provider, regions, southClinic, westClinic } from '@dmp/contract/examples'
import { hashPassword } from '../../identity/password.ts'
import type { SeedPart } from '../seed.ts'

export const demoPassword = 'DemoPassw0rd!'

interface Account {
  readonly id: string
  readonly email: string
  readonly role: RoleName
  readonly home: { readonly id: string }
  readonly name: readonly [civility: string, first: string, last: string]
  readonly mfa?: true
  readonly isNew?: true
}

const id = (n: number): string => `00000000-0000-4000-8000-0000000008${String(n).padStart(2, '0')}`

/** Those that the README names. */
export const demoAccounts: readonly Account[] = [
  { id: id(1), email: 'super@dmp.example', role: 'super_admin', home: provider, name: ['Dr', 'Sofia', 'Perez'] },
  { id: id(2), email: 'sys@dmp.example', role: 'sys_admin', home: provider, name: ['Mr', 'Sven', 'Holm'] },
  { id: id(3), email: 'admin@north.example', role: 'admin', home: northClinic, name: ['Mrs', 'Nora', 'Lind'] },
  { id: id(4), email: 'staff@north.example', role: 'staff', home: northClinic, name: ['Mr', 'Noah', 'Weber'] },
  {
    id: id(5),
    email: 'service@north.example',
    role: 'service_user',
    home: northClinic,
    name: ['Mr', 'North', 'Uploader'],
  },
  { id: id(6), email: 'admin@south.example', role: 'admin', home: southClinic, name: ['Ms', 'Simone', 'Rossi'] },
  { id: id(7), email: 'mfa@north.example', role: 'staff', home: northClinic, name: ['Ms', 'Mia', 'Falk'], mfa: true },
  {
    id: id(8),
    email: 'new@north.example',
    role: 'staff',
    home: northClinic,
    name: ['Prof', 'Nils', 'Ewald'],
    isNew: true,
  },
]

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
      missing.map(({ id: userId, email, role, home, name, mfa, isNew }) => ({
        id: userId,
        organization_id: home.id,
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
        mfa_enabled: mfa ?? false,
        status_by: 'System',
        status_comment: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
