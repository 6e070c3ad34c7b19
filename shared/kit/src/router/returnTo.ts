/** Where people go after sign-in when they wanted nothing else (2.03). */
const home = '/dashboard'

/**
 * What a guard hands to the sign-in page: where the person wanted to go.
 *
 * @example <Navigate to="/login" replace state={wanting(useLocation())} />
 */
export function toReturnState({ pathname, search }: { readonly pathname: string; readonly search: string }): {
  readonly wanted: string
} {
  return { wanted: pathname + search }
}

/**
 * Where to go after sign-in: what `wanting` put into the navigation state, else the dashboard. Never another origin, never the sign-in page itself.
 *
 * @example navigate(wantedPath(useLocation().state), { replace: true })
 */
export function returnTo(state: unknown): string {
  const wanted = typeof state === 'object' && state !== null && 'wanted' in state ? state.wanted : undefined
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || /^\/[/\\]/.test(wanted)) return home
  return wanted === '/' || /^\/login(?:[/?]|$)/i.test(wanted) ? home : wanted
}
