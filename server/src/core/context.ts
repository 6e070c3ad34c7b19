import type { PolicyEntry, RoleName } from '@dmp/contract'

/**
 * The person, or the machine with an API token, that makes a call. Rows of other organizations do not exist for it,
 * unless internal.
 */
export interface Viewer {
  /** Of a machine the id of its API token, which no table of people has. */
  readonly userId: string
  /** Only of a machine: the person who answers for it. */
  readonly ownerId?: string
  /** Only of a machine: the parts whose releases it is for. */
  readonly parts?: readonly string[]
  /** Only of a machine: email addresses of those who may open the previews that it makes. */
  readonly previewers?: readonly string[]
  readonly email: string
  readonly fullName: string
  readonly organizationId: string
  readonly role: RoleName
  readonly policy: readonly PolicyEntry[]
  /** Staff of the provider: sees every organization. */
  readonly isInternal: boolean
  /** The session: every token that descends from one sign-in. */
  readonly sessionId: string
  /** Holds a token for a part of the actions on scans (an external app, a machine); the account's calls are closed. */
  readonly isLimited?: true
}

/** The facts about a request that audit rows and limits need. */
export interface Caller {
  readonly id: string
  readonly ip: string
  readonly userAgent: string
  /** Browsers say where a request comes from; apps such as the uploader do not. */
  readonly isBrowser: boolean
  /** That it asks to be answered in, of those that the product has. */
  readonly language?: string | undefined
  /** By which its person reads clocks, as its header names it. */
  readonly timeZone?: string | undefined
}

export interface Cookies {
  read(name: CookieName): string | undefined
  /** HttpOnly, SameSite=Strict; over HTTP `dmp-device` goes to the account calls only. */
  set(name: CookieName, value: string, seconds: number): void
  clear(name: CookieName): void
}
/** `dmp-share-…` ends with the id of the link that it opens. */
export type CookieName = 'dmp-binding' | 'dmp-device' | 'dmp-overrides' | 'dmp-audience' | `dmp-share-${string}`

/** Context of a call that needs no session. */
export interface PublicContext {
  readonly request: Caller
  readonly cookies: Cookies
}

/** Context of a call that a signed-in viewer makes, whose policy permits it. */
export interface Context extends PublicContext {
  readonly viewer: Viewer
  /** Judges the caller anew, after a wait. Throws as for a new request: 401 once the session is over. */
  readmit(): Promise<void>
  /** Aborted when the line closes, with or without an answer. */
  readonly left: AbortSignal
}
