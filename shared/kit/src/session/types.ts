import type { PolicyEntry } from '@dmp/contract'

/** Login tokens as they are stored (clause 3.01). */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly idToken: string
  readonly challengeName: string | null
  readonly userId: string
  readonly session: string | null
  /** Lifetime of the access token in seconds, from the server. */
  readonly expiresIn: number
  /** When the access token ends by this machine's clock, ISO 8601. */
  readonly expireDate: string
  /** Made by this client at sign-in and kept over renewals (3.01, 4.12). A label, never a credential. */
  readonly sessionId: string
}

/** The signed-in user as it is stored (clause 3.05). */
export interface StoredUser {
  readonly email: string
  readonly fullName: string
  readonly role: string
  readonly roleDisplayName: string
  readonly organizationId: string
  readonly organization: string
  readonly policy: readonly PolicyEntry[]
}

/**
 * The state of inactivity (4.13). `until` is the end of the warning's countdown in ms; `isFromLive` if the live
 * channel started it (2.40).
 */
export type Idle =
  | { readonly state: 'active' }
  | { readonly state: 'warning'; readonly until: number; readonly isFromLive?: boolean }

/** The state of the live channel (4.14). */
export type Live = 'off' | 'connecting' | 'open' | 'waiting' | 'failed'

export interface SessionState {
  readonly tokens: Tokens | null
  readonly user: StoredUser | null
  /** Why the last session ended, for the sign-in page. */
  readonly endedBecause: string | null
  /** The person signed out, so the next sign-in does not return to their last page. */
  readonly hasLeft: boolean
  /** The session ended with unsaved input: the user stays, and the page asks for the password in place (P27). */
  readonly asksPassword: boolean
  /** The person is signing out with unsaved input and is being asked (P27). */
  readonly asksLeave: boolean
  readonly idle: Idle
  readonly live: Live
}
