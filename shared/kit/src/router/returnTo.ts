/** The page after a sign-in without a return address (2.03). */
const home = '/dashboard'

/**
 * The navigation state with which a guard passes the return address to the sign-in page.
 *
 * @example <Navigate to="/login" replace state={toReturnState(useLocation())} />
 */
export function toReturnState({ pathname, search }: { readonly pathname: string; readonly search: string }): {
  readonly returnTo: string
} {
  return { returnTo: pathname + search }
}

/**
 * The return address from the navigation state of `toReturnState`, else the dashboard. Never another origin, never the
 * sign-in page itself.
 *
 * @example navigate(returnTo(useLocation().state), { replace: true })
 */
export function returnTo(state: unknown): string {
  const address = typeof state === 'object' && state !== null && 'returnTo' in state ? state.returnTo : undefined
  if (typeof address !== 'string' || !address.startsWith('/') || /^\/[/\\]/.test(address)) return home
  return address === '/' || /^\/login(?:[/?]|$)/i.test(address) ? home : address
}
