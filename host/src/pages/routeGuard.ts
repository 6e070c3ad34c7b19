import { isUnder, navigationFor, getRoute, type Declaration, type Guard } from '@dmp/contract/remote'
import type { Policy } from '@dmp/contract/endpoint'

/** The guard's decision for an address (2.31). */
export type RouteDecision =
  | { readonly kind: 'open'; readonly owner: Declaration; readonly guard: Guard }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'end-session' }
  | { readonly kind: 'redirect' }
  | { readonly kind: 'refused'; readonly module: string; readonly action: string }

export interface Visitor {
  /** Null when no user is signed in. */
  readonly policy: Policy | null
  /** The access token has not ended, or the password is being asked for in place. */
  readonly isValid: boolean
  /** Inactive for longer than the settings allow. */
  readonly isIdledOut: boolean
}

/**
 * Decides whether a visitor may open an address: the idle check passes, the access token is valid, and the address lies
 * under the route link of a permitted module (2.31). Declarations decide alone, so no remote has to be loaded.
 */
export function guardRoute(pathname: string, declarations: readonly Declaration[], visitor: Visitor): RouteDecision {
  const route = getRoute(declarations, pathname)
  if (route === undefined) return { kind: 'not-found' }
  const { owner, claim } = route
  const open: RouteDecision = { kind: 'open', owner, guard: claim.guard }
  if (claim.guard === 'public') return open
  const isSignedIn = visitor.policy !== null && visitor.isValid && !visitor.isIdledOut
  // 2.03: the login guard redirects users who already hold a valid token.
  if (claim.guard === 'guest') return isSignedIn ? { kind: 'redirect' } : open
  if (visitor.policy === null) return { kind: 'sign-in' }
  if (!isSignedIn) return { kind: 'end-session' }
  if (
    claim.guard === 'session' ||
    navigationFor(declarations, visitor.policy).some(({ routerLink }) => isUnder(pathname, routerLink))
  )
    return open
  return { kind: 'refused', ...findMissingPermission(pathname, declarations, claim.prefix) }
}

/** Returns the module and action that the visitor's policy lacks. */
function findMissingPermission(
  pathname: string,
  declarations: readonly Declaration[],
  prefix: string,
): { module: string; action: string } {
  const entry = declarations
    .flatMap(({ navigation }) => navigation)
    .find(({ routerLink }) => isUnder(pathname, routerLink))
  return { module: entry?.module ?? prefix.slice(1), action: entry?.action ?? 'List' }
}
