import { permits, type Endpoint, type Needs, isEndpoint } from '@dmp/contract/endpoint'
import { useSessionStore } from './store.ts'
import type { SessionState, StoredUser } from './types.ts'

/** Reads the session and follows it: `useSession((s) => s.tokens?.sessionId)`. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  return useSessionStore(selector)
}

/** The signed-in user. Throws without one; the route guard prevents that. */
export function useUser(): StoredUser {
  const user = useSessionStore((state) => state.user)
  if (!user) throw new Error('useUser stands on a page that needs no session')
  return user
}

/**
 * Whether the signed-in user's policy allows the call (6.02); without a user, whether the call needs none.
 *
 * @example const mayApprove = useCan(registration.approve)
 */
export function useCan(what: Endpoint | Needs): boolean {
  const needs = isEndpoint(what) ? what.definition.needs : what
  return useSessionStore(({ user }) => needs === 'nothing' || (user !== null && permits(user.policy, needs)))
}
