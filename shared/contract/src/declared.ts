import { permits, type Needs, type Policy } from './endpoint.ts'

// What every page asks of declarations, apart from their schemas (`remote.ts`), which few pages read one by.

/**
 * The route that a URL path falls under: the longest claimed prefix, compared by segment and without regard to case.
 */
export function getRoute<D extends { readonly routes: readonly { readonly prefix: string }[] }>(
  declarations: readonly D[],
  pathname: string,
): { owner: D; claim: D['routes'][number] } | undefined {
  let best: { owner: D; claim: D['routes'][number] } | undefined
  for (const owner of declarations) {
    for (const claim of owner.routes) {
      if (isUnder(pathname, claim.prefix) && claim.prefix.length > (best?.claim.prefix.length ?? 0))
        best = { owner, claim }
    }
  }
  return best
}

/** Whether a path is the prefix itself or lies below it: `/scan/detail` is under `/scan`, `/scanner` is not. */
export function isUnder(pathname: string, prefix: string): boolean {
  const path = pathname.toLowerCase()
  const start = prefix.toLowerCase()
  return path === start || path.startsWith(`${start}/`)
}

interface Permit {
  readonly module?: string | undefined
  readonly action?: string | undefined
}

/** Whether an entry or card is for this viewer (clause 2.33). */
export function isFor(policy: Policy, needs: Permit | 'session'): boolean {
  if (needs === 'session' || needs.module === undefined) return true
  if (needs.action === undefined) return policy.some((entry) => entry.module === needs.module)
  return permits(policy, { module: needs.module, action: needs.action } as Exclude<Needs, string>)
}

/** The navigation entries of clause 2.32 that this viewer sees, in order. */
export function navigationFor<E extends Permit & { readonly frontEndModule: boolean; readonly order: number }>(
  declarations: readonly { readonly navigation: readonly E[] }[],
  policy: Policy,
): E[] {
  return declarations
    .flatMap((declaration) => declaration.navigation)
    .filter((entry) => entry.frontEndModule && isFor(policy, entry))
    .sort((a, b) => a.order - b.order)
}
