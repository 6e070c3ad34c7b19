import type { Definition } from '@dmp/contract'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { tooManyOfAll, tooManyRequests } from './errors.ts'

export interface Limit {
  readonly calls: number
  readonly seconds: number
  readonly per: 'address' | 'viewer'
}

/**
 * Limits on all calls of an address or a viewer together; far above what a person does, so that they stop only floods.
 */
export const everyCall: readonly Limit[] = [
  { calls: 3000, seconds: 60, per: 'address' },
  { calls: 1200, seconds: 60, per: 'viewer' },
]

/** Costly or abusable calls (P19), by the contract's name of the call. */
export const limitsByCall: Readonly<Record<string, readonly Limit[]>> = {
  'POST /account/login': [{ calls: 100, seconds: 60, per: 'address' }],
  'POST /account/respondToMFA': [{ calls: 30, seconds: 60, per: 'address' }],
  'POST /account/setNewPassword': [{ calls: 30, seconds: 60, per: 'address' }],
  'POST /account/renewToken': [{ calls: 300, seconds: 60, per: 'address' }],
  'POST /account/forgotPassword': [{ calls: 20, seconds: 900, per: 'address' }],
  'POST /account/resetForgotPassword': [{ calls: 20, seconds: 900, per: 'address' }],
  'POST /account/checkSetupLink': [{ calls: 30, seconds: 900, per: 'address' }],
  'POST /account/addFirstAdministrator': [{ calls: 20, seconds: 900, per: 'address' }],
  'PUT /account/changePassword': [{ calls: 10, seconds: 900, per: 'viewer' }],
  'POST /account/updatePreferences': [{ calls: 20, seconds: 900, per: 'viewer' }],
  'POST /ApiToken/add': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  // Nobody tries out the codes that machines show.
  'POST /ApiToken/getDevice': [{ calls: 20, seconds: 900, per: 'viewer' }],
  'POST /ApiToken/approveDevice': [{ calls: 20, seconds: 900, per: 'viewer' }],
  'POST /ApiToken/denyDevice': [{ calls: 20, seconds: 900, per: 'viewer' }],
  'POST /Audit/export': [{ calls: 20, seconds: 3600, per: 'viewer' }],
  'POST /Email/sendApplicationError': [{ calls: 10, seconds: 3600, per: 'viewer' }],
  'POST /Release/addRound': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  'POST /Release/judgeRound': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  // Each may leave 16 MB in the store for ever, and takes seconds to compress.
  'PUT /Release/publish/:part': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'PUT /Release/sign/:part/:releaseId': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  'GET /Release/judge': [{ calls: 600, seconds: 3600, per: 'viewer' }],
  'POST /Release/preview': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  'GET /Release/getPreview': [{ calls: 600, seconds: 3600, per: 'viewer' }],
  'POST /Release/openPreview': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  'POST /Release/activate': [{ calls: 240, seconds: 3600, per: 'viewer' }],
  'POST /Release/startCanary': [{ calls: 240, seconds: 3600, per: 'viewer' }],
  'POST /Release/promoteCanary': [{ calls: 240, seconds: 3600, per: 'viewer' }],
  'POST /Release/report': [{ calls: 300, seconds: 60, per: 'address' }],
  'POST /Release/reportErrors': [{ calls: 120, seconds: 60, per: 'address' }],
  'POST /Release/reportTimes': [{ calls: 300, seconds: 60, per: 'address' }],
  'PUT /Release/setNotices/:part': [{ calls: 30, seconds: 3600, per: 'viewer' }],
  'PUT /Release/addMaps/:part/:releaseId': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'PUT /Release/addDrawn/:part/:releaseId': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /Registration/add': [{ calls: 10, seconds: 3600, per: 'address' }],
  'GET /Registration/emailAvailable': [{ calls: 10, seconds: 60, per: 'address' }],
  'GET /businessUser/emailAvailable': [{ calls: 60, seconds: 60, per: 'viewer' }],
  'POST /businessUser/add': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /businessUser/resetTemporaryPassword/:id': [{ calls: 30, seconds: 3600, per: 'viewer' }],
  'POST /businessUser/sendUpdatedTermsOfUse/:termsLink': [{ calls: 3, seconds: 3600, per: 'viewer' }],
  'POST /Complaint/addMessage/:id': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /Organization/add': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'PUT /Organization/setLogo/:id': [{ calls: 30, seconds: 3600, per: 'viewer' }],
  'POST /Organization/startExport/:id': [{ calls: 20, seconds: 3600, per: 'viewer' }],
  'POST /Organization/startImport/:id': [{ calls: 6, seconds: 3600, per: 'viewer' }],
  'POST /Organization/downloadExport/:id': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /Organization/testStorage': [{ calls: 20, seconds: 900, per: 'viewer' }],
  'POST /Organization/testMail': [{ calls: 10, seconds: 900, per: 'viewer' }],
  'POST /Scan/addSample/:organizationId': [{ calls: 30, seconds: 3600, per: 'viewer' }],
  'DELETE /Scan/removeSample/:organizationId': [{ calls: 30, seconds: 3600, per: 'viewer' }],
  'POST /Complaint/add': [{ calls: 30, seconds: 3600, per: 'viewer' }],
  'POST /Scan/transfer/:organizationId': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /Scan/download/:organizationId/:seriesUID': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  'POST /Scan/share/:organizationId': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  'POST /Scan/getShared': [{ calls: 120, seconds: 60, per: 'address' }],
  'POST /Scan/listShareable/:organizationId': [{ calls: 240, seconds: 3600, per: 'viewer' }],
  'POST /Scan/listDependents/:organizationId': [{ calls: 240, seconds: 3600, per: 'viewer' }],
  'POST /Scan/openShared': [{ calls: 30, seconds: 60, per: 'address' }],
  'POST /Scan/visitShared': [{ calls: 30, seconds: 60, per: 'address' }],
  'POST /Scan/sendShareCode': [{ calls: 10, seconds: 600, per: 'address' }],
  // An open page asks twice a minute; a clinic may have many behind one address.
  'POST /Scan/watchShared': [{ calls: 600, seconds: 60, per: 'address' }],
  'DELETE /Scan/delete/:organizationId': [{ calls: 120, seconds: 3600, per: 'viewer' }],
  // Once a minute each; a clinic's machines may share an account.
  'POST /Station/tell': [{ calls: 100, seconds: 60, per: 'viewer' }],
  'POST /Webhook/add': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'PUT /Webhook/update/:id': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /Webhook/renewSecret/:id': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  // Each makes the server send something to somebody else.
  'POST /Webhook/sendTest/:id': [{ calls: 60, seconds: 3600, per: 'viewer' }],
  'POST /Webhook/replay/:id': [{ calls: 600, seconds: 3600, per: 'viewer' }],
  'POST /Webhook/replaySince/:id': [{ calls: 20, seconds: 3600, per: 'viewer' }],
}

/**
 * Routes that the contract does not have (P19). Each route names its limit (`config.limit`); one that does not keeps
 * the server from starting. An image viewer asks for each slice by itself, so the limits on all calls would stop honest
 * people; counted in memory, because a round to the database for each slice would cost more.
 */
export const limitsByRoute = {
  DICOMweb: [
    { calls: 12_000, seconds: 60, per: 'address' },
    { calls: 6000, seconds: 60, per: 'viewer' },
  ],
  // A page of many files that are kept for ever once they are loaded; a clinic may open it behind one address.
  page: [{ calls: 12_000, seconds: 60, per: 'address' }],
  'release file': [{ calls: 60_000, seconds: 60, per: 'address' }],
  'live channel': [{ calls: 12_000, seconds: 60, per: 'address' }],
  download: [{ calls: 600, seconds: 60, per: 'address' }],
  health: [{ calls: 6000, seconds: 60, per: 'address' }],
  documentation: [{ calls: 300, seconds: 60, per: 'address' }],
  demo: [{ calls: 6000, seconds: 60, per: 'address' }],
  launch: [
    { calls: 300, seconds: 60, per: 'address' },
    { calls: 120, seconds: 60, per: 'viewer' },
  ],
  'OAuth token': [
    { calls: 300, seconds: 60, per: 'address' },
    { calls: 60, seconds: 60, per: 'viewer' },
  ],
  'OAuth device': [{ calls: 20, seconds: 600, per: 'address' }],
  'begin an upload': [
    { calls: 3000, seconds: 60, per: 'address' },
    { calls: 600, seconds: 60, per: 'viewer' },
  ],
  'continue an upload': [
    { calls: 12_000, seconds: 60, per: 'address' },
    { calls: 6000, seconds: 60, per: 'viewer' },
  ],
} as const satisfies Readonly<Record<string, readonly Limit[]>>

/** Doors beside HTTP (P19), counted in memory as well. */
export const limitsByDoor = {
  // A modality opens one for each image, if it likes.
  'DICOM association': [
    { calls: 6000, seconds: 60, per: 'address' },
    { calls: 3000, seconds: 60, per: 'viewer' },
  ],
  // As many as of DICOMweb. Objects that are stored are no such operations: a scan has thousands.
  'DICOM operation': [{ calls: 6000, seconds: 60, per: 'viewer' }],
} as const satisfies Readonly<Record<string, readonly Limit[]>>

export type LimitedRoute = keyof typeof limitsByRoute
/** Calls and addresses of the API that have no limit but those on all calls. */
export const anyOtherCall = 'any other call'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit on how often the route may be called: one of `limitsByRoute`, or a call's name. */
    limit?: LimitedRoute | typeof anyOtherCall | `${Definition['method']} ${string}`
  }
}

export interface RateLimits {
  /**
   * Counts one call of whoever it is counted as (`identity/countAs.ts`) or of the viewer; throws 429 with Retry-After
   * when there were too many.
   */
  spend(call: string, countedAs: string | undefined, viewer: string | undefined): Promise<void>
}

/** Counted in memory; on PostgreSQL the limits of single calls are shared by all servers. */
export function createRateLimits(factor: number, pool: pg.Pool | undefined): RateLimits {
  const flood = everyCall.map((limit) => ({ limit, limiter: new RateLimiterMemory(toOptions('call', limit, factor)) }))
  const single = new Map(
    Object.entries(limitsByCall).map(
      ([call, limits]) =>
        [call, limits.map((limit) => ({ limit, limiter: createLimiter(call, limit, factor, pool) }))] as const,
    ),
  )
  const routes = new Map<string, { limit: Limit; limiter: RateLimiterAbstract }[]>(
    Object.entries<readonly Limit[]>({ ...limitsByRoute, ...limitsByDoor }).map(([route, limits]) => [
      route,
      limits.map((limit) => ({ limit, limiter: new RateLimiterMemory(toOptions(route, limit, factor)) })),
    ]),
  )
  return {
    spend: async (call, countedAs, viewer) => {
      for (const { limit, limiter } of routes.get(call) ?? [...flood, ...(single.get(call) ?? [])]) {
        const key = limit.per === 'viewer' ? viewer : countedAs
        if (key !== undefined) await spendOne(limiter, key, limit)
      }
    },
  }
}

const toOptions = (call: string, { calls, seconds, per }: Limit, factor: number) => ({
  keyPrefix: `${call} ${per}`,
  points: Math.max(1, Math.round(calls * factor)),
  duration: seconds,
})

function createLimiter(call: string, limit: Limit, factor: number, pool: pg.Pool | undefined): RateLimiterAbstract {
  const options = toOptions(call, limit, factor)
  if (!pool) return new RateLimiterMemory(options)
  // While the database is away each server counts for itself.
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    tableName: 'call_limits',
    tableCreated: true,
    insuranceLimiter: new RateLimiterMemory(options),
  })
}

async function spendOne(limiter: RateLimiterAbstract, key: string, { seconds, per }: Limit): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (result) {
    if (!(result instanceof RateLimiterRes)) throw result
    // Nobody waits longer than the limit says: the clock that counted was set back since.
    if (result.msBeforeNext > (seconds + 1) * 1000) {
      await limiter.delete(key)
      await limiter.consume(key)
      return
    }
    // Others behind an address may have used its limit up; a person who is known counts alone.
    const isOwn = per === 'viewer' || key.startsWith('person ')
    const refuse = isOwn ? tooManyRequests : tooManyOfAll
    throw refuse(result.msBeforeNext / 1000, 'Too many requests.')
  }
}
