import type { RoleName } from './user.ts'

/** An account that a demo server seeds. */
export interface DemoAccount {
  readonly id: string
  readonly email: string
  readonly role: RoleName
  readonly organization: 'provider' | 'north' | 'south'
  readonly name: readonly [civility: string, first: string, last: string]
  readonly hasMfa?: true
  /** Must choose a password at the first sign-in. */
  readonly isNew?: true
}

/**
 * Only the seed of a demo and the sign-in page of a demo import this file (a rule of `.dependency-cruiser.mjs`), so
 * that the password is in no script that a production page loads.
 */
export const demoPassword = 'DemoPassw0rd!'

const id = (n: number): string => `00000000-0000-4000-8000-0000000008${String(n).padStart(2, '0')}`

/** The accounts that the README names, in the order of the sign-in page. */
export const demoAccounts: readonly DemoAccount[] = [
  {
    id: id(1),
    email: 'super@dmp.example',
    role: 'super_admin',
    organization: 'provider',
    name: ['Dr', 'Sofia', 'Perez'],
  },
  { id: id(2), email: 'sys@dmp.example', role: 'sys_admin', organization: 'provider', name: ['Mr', 'Sven', 'Holm'] },
  { id: id(3), email: 'admin@north.example', role: 'admin', organization: 'north', name: ['Mrs', 'Nora', 'Lind'] },
  { id: id(4), email: 'staff@north.example', role: 'staff', organization: 'north', name: ['Mr', 'Noah', 'Weber'] },
  { id: id(6), email: 'admin@south.example', role: 'admin', organization: 'south', name: ['Ms', 'Simone', 'Rossi'] },
  {
    id: id(7),
    email: 'mfa@north.example',
    role: 'staff',
    organization: 'north',
    name: ['Ms', 'Mia', 'Falk'],
    hasMfa: true,
  },
  {
    id: id(8),
    email: 'new@north.example',
    role: 'staff',
    organization: 'north',
    name: ['Prof', 'Nils', 'Ewald'],
    isNew: true,
  },
  {
    id: id(5),
    email: 'service@north.example',
    role: 'service_user',
    organization: 'north',
    name: ['Mr', 'North', 'Uploader'],
  },
]
