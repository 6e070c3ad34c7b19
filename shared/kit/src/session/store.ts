import { create } from 'zustand'
import { stored } from './storage.ts'
import type { SessionState } from './types.ts'

/** The only session store of the page. Remotes read it through `useSession`, `useUser` and `useCan`. */
export const useSessionStore = create<SessionState>()(() => {
  const tokens = stored.tokens()
  const user = stored.user()
  // Tokens without a user, or the reverse, are not a session.
  const isWhole = tokens !== null && user !== null
  return {
    tokens: isWhole ? tokens : null,
    user: isWhole ? user : null,
    endedBecause: null,
    hasLeft: false,
    asksPassword: false,
    asksLeave: false,
    idle: { state: 'active' },
    live: 'off',
  }
})
