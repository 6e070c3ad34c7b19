import * as v from 'valibot'
import type { StoredUser, Tokens } from './types.ts'

/** The local storage keys of clause 9.11; the fourth, `dataTableHistory`, is the table's. */
export const storageKeys = { tokens: 'authData', user: 'user', lastActive: 'lastActiveTime' } as const

const Text = v.string('Text.')
const StoredTokens = v.object({
  accessToken: v.pipe(Text, v.nonEmpty('Empty.')),
  refreshToken: Text,
  idToken: Text,
  challengeName: v.nullable(Text),
  userId: Text,
  session: v.nullable(Text),
  expiresIn: v.number('A number.'),
  expireDate: v.pipe(Text, v.isoTimestamp('A date.')),
  sessionId: Text,
})
const User = v.object({
  email: Text,
  fullName: Text,
  role: Text,
  roleDisplayName: Text,
  organizationId: Text,
  organization: Text,
  policy: v.array(v.object({ moduleId: Text, module: Text, actions: v.array(Text) }), 'A list.'),
})

// Storage can be full, blocked or edited by hand; unreadable items count as missing.
function readItem<T>(key: string, schema: v.GenericSchema<unknown, T>): T | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(localStorage.getItem(key) ?? 'null'))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

function writeItem(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    console.warn(`Local storage does not accept ${key}; the session is kept in this tab only.`)
  }
}

export const stored = {
  tokens: (): Tokens | null => readItem(storageKeys.tokens, StoredTokens),
  user: (): StoredUser | null => readItem(storageKeys.user, User),
  /** Milliseconds since 1970; 0 when nothing was recorded. */
  lastActive: (): number => readItem(storageKeys.lastActive, v.number('A number.')) ?? 0,
  writeTokens: (tokens: Tokens | null): void => writeItem(storageKeys.tokens, tokens),
  writeUser: (user: StoredUser | null): void => writeItem(storageKeys.user, user),
  /** Search terms may name patients: the tables' history does not outlive the session (P23). */
  forgetTables: (): void => writeItem('dataTableHistory', null),
  writeLastActive: (at: number | null): void => writeItem(storageKeys.lastActive, at),
}
