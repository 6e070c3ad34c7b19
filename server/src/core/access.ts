import type { Needs } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'

/** Who may enter by a route, and with what. */
export interface Access {
  readonly needs: Needs
  /** The secret that opens it: a sign-in's token, a cookie, or one in the address. */
  readonly secret:
    | 'none'
    | 'token'
    | 'token or launch cookie'
    | 'session cookie'
    | 'share cookie'
    | 'address'
    | 'first message'
  /** Behind it lie objects of one organization; those of another are answered like unknown ones (P02). */
  readonly hasWalls: boolean
  /** A machine's API token opens it as well, for what its scopes permit. */
  readonly isForMachines?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
}

/** Tells nothing of any customer. */
export const forEverybody: Access = { needs: 'nothing', secret: 'none', hasWalls: false }
/** The address itself holds the secret: a mailed or handed-out link. */
export const forHoldersOfTheAddress: Access = { needs: 'nothing', secret: 'address', hasWalls: false }
/** The HttpOnly cookie that a sign-in gave to this browser; who has none gets a page that says so. */
export const forTheBrowserOfASession: Access = { needs: 'nothing', secret: 'session cookie', hasWalls: false }
/** The HttpOnly cookie of a browser that opened a share link; for everybody else nothing is there. */
export const forVisitorsOfAShare: Access = { needs: 'nothing', secret: 'share cookie', hasWalls: true }
export const behindWalls = (needs: Needs, secret: Access['secret'] = 'token'): Access => ({
  needs,
  secret,
  hasWalls: true,
})

/** Also for machines; a route that does not say so refuses every API token. */
export const alsoForMachines = (access: Access): Access => ({ ...access, isForMachines: true })

/**
 * A route that does not say who may enter cannot be added. The matrix of rights is made from what the routes say
 * (`rights.matrix.test.ts`), so nothing is routed that no test tries.
 */
export function requireAccessOfRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.access === undefined)
      throw new Error(
        `The route ${String(method)} ${url} does not say who may enter. Add config: { access: … } (core/access.ts).`,
      )
  })
}
