import { lastPerson, session } from '@dmp/kit'

/** The page after a sign-in without a return address (2.03). */
const home = '/dashboard'

/**
 * The navigation state with which a guard passes the return address to the sign-in page, and whose address it is.
 *
 * @example <Navigate to="/login" replace state={toReturnState(useLocation())} />
 */
export function toReturnState({ pathname, search }: { readonly pathname: string; readonly search: string }): {
  readonly returnTo: string
  readonly person: string | null
} {
  return { returnTo: pathname + search, person: lastPerson() }
}

/**
 * The return address from the navigation state of `toReturnState`, else the dashboard. Never another origin, never the
 * sign-in page itself, never where somebody else was: the address may hold what they searched for (P23).
 *
 * @example navigate(returnTo(useLocation().state), { replace: true })
 */
export function returnTo(state: unknown): string {
  const { returnTo: address, person } = (typeof state === 'object' && state !== null ? state : {}) as {
    returnTo?: unknown
    person?: unknown
  }
  if (typeof address !== 'string' || !address.startsWith('/') || /^\/[/\\]/.test(address)) return home
  const email = session.get().user?.email
  if (typeof person === 'string' && email !== undefined && person !== email) return home
  return address === '/' || /^\/login(?:[/?]|$)/i.test(address) ? home : address
}
