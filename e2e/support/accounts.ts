import { demoPassword } from '@dmp/contract/demoAccounts'
import type { RoleName } from '@dmp/contract/user'

interface Profile {
  /** The demo's account of this kind. */
  readonly email: string
  /** Undefined: any role will do. */
  readonly role?: RoleName
}

/** Who the journeys sign in as; another deployment names its own: E2E_ADMIN=ann@clinic.example:secret */
export const profiles = {
  super: { email: 'super@dmp.example', role: 'super_admin' },
  sys: { email: 'sys@dmp.example', role: 'sys_admin' },
  admin: { email: 'admin@north.example', role: 'admin' },
  staff: { email: 'staff@north.example', role: 'staff' },
  service: { email: 'service@north.example', role: 'service_user' },
  southAdmin: { email: 'admin@south.example', role: 'admin' },
  mfa: { email: 'mfa@north.example' },
} as const satisfies Record<string, Profile>

export type Who = keyof typeof profiles
export const everybody = Object.keys(profiles) as Who[]

export interface Account {
  email: string
  password: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The variable that names the account: `E2E_SOUTHADMIN`. */
export const variableOf = (who: Who): string => `E2E_${who.toUpperCase()}`

/** The account that the environment names; undefined where it names none. */
export function findNamedAccount(who: Who, env: Environment = process.env): Account | undefined {
  const credentials = env[variableOf(who)]
  if (!credentials) return undefined
  const colon = credentials.indexOf(':')
  if (colon < 1) throw new Error(`${variableOf(who)} names no account. Write it as email:password.`)
  return { email: credentials.slice(0, colon), password: credentials.slice(colon + 1) }
}

export const account = (who: Who, env: Environment = process.env): Account =>
  findNamedAccount(who, env) ?? { email: profiles[who].email, password: demoPassword }
