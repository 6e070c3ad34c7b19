import { permits, type Endpoint, type Needs, isEndpoint } from '@dmp/contract/endpoint'
import { useSessionStore } from './store.ts'
import type { SessionState, StoredUser } from './types.ts'

/** Reads the session and follows it: `useSession((s) => s.tokens?.sessionId)`. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  return useSessionStore(selector)
}

/** The signed-in user. Throws where nobody is signed in, which the guard does not let happen. */
export function useUser(): StoredUser {
  const user = useSessionStore((state) => state.user)
  if (!user) throw new Error('useUser stands on a page that needs no session')
  return user
}

/**
 * Whether the signed-in user's policy allows the call (clause 6.02); false when nobody is signed in and the call needs
 * somebody.
 *
 * @example const mayApprove = useCan(registration.approve)
 */
export function useCan(what: Endpoint | Needs): boolean {
  const needs = isEndpoint(what) ? what.definition.needs : what
  return useSessionStore(({ user }) => needs === 'nothing' || (user !== null && permits(user.policy, needs)))
}
