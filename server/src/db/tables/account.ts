import type { RoleName } from '@dmp/contract'
import type { Generated } from 'kysely'

export interface UserTable {
  id: Generated<string>
  organization_id: string
  /** As it was typed; unique without regard to case. */
  email: string
  civility: string
  first_name: string
  last_name: string
  mobile: string | null
  landline: string | null
  fax: string | null
  role: RoleName
  password_hash: string | null
  /** Set for a mailed temporary password: it opens nothing but the new-password challenge, until then. */
  temporary_until: Date | null
  /** Whether the person has set a password of their own yet (6.07). */
  is_confirmed: Generated<boolean>
  mfa_enabled: Generated<boolean>
  /** In which the person signed in last, for mails; null if it is not known. */
  language: Generated<string | null>
  /** The one of that sign-in (IANA); null if it is not known. */
  time_zone: Generated<string | null>
  status: Generated<'Activated' | 'Deactivated'>
  status_id: Generated<string>
  status_date: Generated<Date>
  /** Shown name of who set the status; the row outlives that person. */
  status_by: string
  status_comment: string | null
  created_date: Generated<Date>
  updated_date: Generated<Date>
}

/** One signed-in browser or app: every token that descends from one sign-in. */
export interface SessionTable {
  id: Generated<string>
  user_id: string
  client_id: string
  /** Hash of the HttpOnly cookie without which a browser's refresh token is useless; null for apps without cookies. */
  binding_hash: string | null
  device: string
  address: string
  started_date: Generated<Date>
  last_seen_date: Generated<Date>
  /** When the person, not the tab, was last heard of. */
  active_date: Generated<Date>
  expires_date: Date
  ended_date: Date | null
  end_reason: string | null
}

export interface RefreshTokenTable {
  hash: string
  session_id: string
  created_date: Generated<Date>
  used_date: Date | null
}

export interface ChallengeTable {
  hash: string
  purpose: 'MFA' | 'NEW_PASSWORD_REQUIRED' | 'RESET'
  user_id: string
  client_id: string
  code_hash: string | null
  /** Of a device that signed in to the account before. */
  device_hash: Generated<string | null>
  tries: Generated<number>
  created_date: Generated<Date>
  expires_date: Date
  used_date: Date | null
}

/** How often an attempt to sign in failed lately (P04). Keys are hashes. */
export interface LoginAttemptTable {
  key: string
  failures: number
  blocked_until: Date
  updated_date: Date
}

/** 4.14: the session id that a client makes is a label; it belongs to the session that named it first. */
export interface SessionLabelTable {
  label: string
  session_id: string
  created_date: Generated<Date>
  /** External apps that the page opened and that did not ask for their token yet. */
  exchanges: Generated<number>
  exchange_until: Generated<Date | null>
}

export interface AccountTables {
  users: UserTable
  sessions: SessionTable
  refresh_tokens: RefreshTokenTable
  challenges: ChallengeTable
  login_attempts: LoginAttemptTable
  session_labels: SessionLabelTable
}
