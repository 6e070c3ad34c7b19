import type { PolicyEntry } from '@dmp/contract'

/** Login tokens as they are stored (clause 3.01). */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly idToken: string
  readonly challengeName: string | null
  readonly userId: string
  readonly session: string | null
  /** Life of the access token in seconds, as the server said it. */
  readonly expiresIn: number
  /** When the access token ends by this machine's clock, ISO 8601. */
  readonly expireDate: string
  /** Made by this client at sign-in and kept over renewals (clauses 3.01, 4.12). A label, never a credential. */
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
 * Where the inactivity of clause 4.13 stands. `until` is the instant (ms) at which the warning's countdown ends;
 * `isFromLive` when the live channel said so (2.40).
 */
export type Idle =
  | { readonly state: 'active' }
  | { readonly state: 'warning'; readonly until: number; readonly isFromLive?: boolean }

/** How the live channel fares (clause 4.14). */
export type Live = 'off' | 'connecting' | 'open' | 'waiting' | 'failed'

export interface SessionState {
  readonly tokens: Tokens | null
  readonly user: StoredUser | null
  /** Why the last session ended; the sign-in page shows it. */
  readonly endedBecause: string | null
  /** The last session was ended by the person: where they were is not where whoever signs in next wants to go. */
  readonly hasLeft: boolean
  /**
   * The session ended while something typed was unsaved: the user stays and the password is asked for in place (P27).
   */
  readonly asksPassword: boolean
  /** The person wants to sign out while something typed is unsaved: asked first. */
  readonly asksLeave: boolean
  readonly idle: Idle
  readonly live: Live
}
