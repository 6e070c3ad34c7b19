import { demoPassword } from '@dmp/contract/demoAccounts'

/** Who the journeys sign in as; another deployment names its own: E2E_ADMIN=ann@clinic.example:secret */
const demo = {
  super: 'super@dmp.example',
  sys: 'sys@dmp.example',
  admin: 'admin@north.example',
  staff: 'staff@north.example',
  service: 'service@north.example',
  southAdmin: 'admin@south.example',
  mfa: 'mfa@north.example',
} as const

export type Who = keyof typeof demo

export interface Account {
  email: string
  password: string
}

export function account(who: Who): Account {
  const credentials = process.env[`E2E_${who.toUpperCase()}`]
  if (!credentials) return { email: demo[who], password: demoPassword }
  const colon = credentials.indexOf(':')
  return { email: credentials.slice(0, colon), password: credentials.slice(colon + 1) }
}
