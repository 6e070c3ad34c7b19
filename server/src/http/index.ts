import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../core/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { apiRoot } from '../settings/runtimeSettings.ts'
import { anyOtherCall } from '../core/rateLimits.ts'
import { registerCallLimits } from './callLimits.ts'
import { createCountAs } from './countAs.ts'
import { registerDiskReserve } from './diskReserve.ts'
import { registerDemoAddonApp } from './demo/demoAddonApp.ts'
import { registerDemoMailbox } from './demo/demoMailbox.ts'
import { registerErrorResponses } from './errorResponses.ts'
import { registerForwardedFor } from './forwardedFor.ts'
import { registerHeaders } from './headers.ts'
import { registerHealth, type ListConcerns, type ReadinessCheck } from './health.ts'
import { registerJson } from './json.ts'
import { registerLeaving } from './leaving.ts'
import { registerLiveChannel } from './live/liveChannel.ts'
import { registerMetrics } from './metrics/metricsServer.ts'
import { registerOneAfterAnother } from './oneAfterAnother.ts'
import { registerOrigins } from './origins.ts'
import { registerOwnHost } from './ownHost.ts'
import { registerRequestLog } from './requestLog.ts'
import { registerRequestTimeouts } from './requestTimeouts.ts'
import { registerRightsUnderWay } from './rightsUnderWay.ts'
import { forEverybody, requireAccessOfRoutes } from '../core/access.ts'
import { registerSecurityText } from './securityText.ts'
import { refuseUnknown, rememberAddresses } from './unknownAddress.ts'

/** The hooks of every request, in the order in which they run; then the edge's own routes. */
export async function registerHttp(
  app: FastifyInstance,
  deps: Dependencies,
  checks: readonly ReadinessCheck[],
  listConcerns: ListConcerns,
): Promise<void> {
  requireAccessOfRoutes(app)
  rememberAddresses(app)
  // First: what never begins is neither counted nor written down.
  registerOneAfterAnother(app)
  registerMetrics(app, deps)
  registerLeaving(app, deps)
  await app.register(cookie)
  // So many parts wait for the end of one response, each once; Node would warn of a leak at eleven.
  app.addHook('onRequest', async (_request, reply) => void reply.raw.setMaxListeners(32))
  registerRequestTimeouts(app)
  registerRequestLog(app)
  registerForwardedFor(app, deps.settings)
  registerHeaders(app, deps.settings)
  registerErrorResponses(app)
  registerCallLimits(app, { ...deps, countAs: createCountAs(deps) })
  registerRightsUnderWay(app, deps.bus)
  registerDiskReserve(app, deps)
  registerJson(app)
  registerOwnHost(app, deps.settings)
  registerOrigins(app, deps)
  registerHealth(
    app,
    [
      { name: 'database', check: () => deps.database.ping() },
      { name: 'object store', check: () => deps.objects.ready() },
      ...checks,
    ],
    listConcerns,
    deps.stopping,
  )
  await registerLiveChannel(app, deps)
  if (deps.settings.isDemo) {
    registerDemoMailbox(app, deps)
    registerDemoAddonApp(app, deps)
  }
  registerSecurityText(app, deps.settings)
  const unknown = { config: { limit: anyOtherCall, access: forEverybody }, onRequest: refuseUnknown } as const
  app.all(`${apiRoot}/*`, unknown, async () => {
    throw notFound()
  })
}
