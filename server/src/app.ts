import cookie from '@fastify/cookie'
import {
  account,
  audit,
  businessUser,
  complaint,
  email,
  organization,
  override,
  region,
  registration,
  release,
  role,
  scan,
} from '@dmp/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createLocalBus, openSharedBus } from './db/bus.ts'
import { openDatabase, type Database, type DatabaseLocation } from './db/client.ts'
import { startRetention } from './db/retention.ts'
import { openJobs } from './db/jobs.ts'
import { migrate } from './db/migrate.ts'
import { seed } from './modules/seed.ts'
import { createWriter } from './db/write.ts'
import { createBackground } from './core/background.ts'
import { createCookies } from './core/caller.ts'
import { registerErrorResponses } from './http/errorResponses.ts'
import { registerJson } from './http/json.ts'
import { apiRoot, registerModule } from './http/routes.ts'
import { createRateLimits } from './core/rateLimits.ts'
import { createRefusedAccess } from './identity/refusedAccess.ts'
import { registerLiveChannel } from './http/live/liveChannel.ts'
import { registerDicomWeb } from './modules/dicomweb/dicomweb.routes.ts'
import { registerDemoAddonApp } from './http/demo/demoAddonApp.ts'
import { registerDemoMailbox } from './http/demo/demoMailbox.ts'
import { isComposed, registerGateway } from './gateway/gateway.ts'
import { registerOpenApi } from './http/openapi.ts'
import { createFastifyOptions, createLogger } from './http/fastifyOptions.ts'
import { registerOrigins } from './http/origins.ts'
import { registerRequestTimeouts } from './http/requestTimeouts.ts'
import { registerRequestLog } from './http/requestLog.ts'
import { registerHeaders } from './http/headers.ts'
import { registerHealth } from './http/health.ts'
import { notFound } from './core/errors.ts'
import { accountHandlers } from './modules/account/account.handlers.ts'
import { createSessionActivity } from './identity/sessionActivity.ts'
import { readKeys } from './identity/keys.ts'
import { createPasswordHasher } from './identity/password.ts'
import { createViewers } from './identity/viewers.ts'
import { auditHandlers } from './modules/audit/audit.handlers.ts'
import { businessUserHandlers } from './modules/businessUser/businessUser.handlers.ts'
import { complaintHandlers } from './modules/complaint/complaint.handlers.ts'
import { organizationHandlers } from './modules/organization/organization.handlers.ts'
import { overrideHandlers } from './modules/override/override.handlers.ts'
import { createOverrideReader } from './modules/override/override.page.ts'
import { regionHandlers } from './modules/region/region.handlers.ts'
import { registrationHandlers } from './modules/registration/registration.handlers.ts'
import { releaseHandlers } from './modules/release/release.handlers.ts'
import { readAudienceCookie } from './identity/canaryAudience.ts'
import { roleHandlers } from './modules/role/role.handlers.ts'
import { recoverObjects } from './modules/scan/intake/objectRecovery.ts'
import { registerScanPages, scanHandlers } from './modules/scan/scan.handlers.ts'
import { emailHandlers } from './modules/email/email.handlers.ts'
import { createMailer } from './outside/mail.ts'
import { openObjectStore } from './outside/openObjectStore.ts'
import { openReleaseStore } from './outside/openReleaseStore.ts'
import type { Dependencies } from './dependencies.ts'
import { toRuntimeSettings } from './settings/runtimeSettings.ts'
import type { Settings } from './settings/settings.ts'

export interface Server {
  readonly app: FastifyInstance
  readonly deps: Dependencies
  /** Answers what is under way, finishes background work, closes the database. */
  close(): Promise<void>
}

interface Overrides {
  /** Tests bring a prepared database in memory. */
  readonly place?: DatabaseLocation
  readonly log?: FastifyBaseLogger
}

/** Everything but listening. */
export async function makeServer(
  settings: Settings,
  { place = placeOf(settings), log = createLogger(settings) }: Overrides = {},
): Promise<Server> {
  const database = await openDatabase(place)
  try {
    await migrate(database.db)
    const app = Fastify(createFastifyOptions(log, settings))
    const deps = await partsOf(app, settings, database, log)
    await seed(deps)
    await recoverObjects(deps.db, deps.objects, othersMayBeUploading(database) ? 3_600_000 : 0)
    await install(app, deps)
    return { app, deps, close: () => app.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** An embedded database has one server; on PostgreSQL another one may be in the middle of an upload. */
const othersMayBeUploading = ({ pool }: Database): boolean => pool !== undefined

const placeOf = ({ databaseUrl, databasePool, dataDir }: Settings): DatabaseLocation =>
  databaseUrl === undefined
    ? { kind: 'folder', folder: dataDir }
    : { kind: 'postgres', url: databaseUrl, poolSize: databasePool }

async function partsOf(
  app: FastifyInstance,
  settings: Settings,
  database: Database,
  log: FastifyBaseLogger,
): Promise<Dependencies> {
  const { db, pool } = database
  const bus =
    pool && settings.databaseUrl !== undefined ? await openSharedBus(pool, settings.databaseUrl) : createLocalBus()
  const jobs = await openJobs(database, bus, log)
  const keys = await readKeys(settings)
  const hasher = createPasswordHasher(settings)
  const mail = createMailer(db, jobs, settings, log)
  const background = createBackground(log)
  const write = createWriter(db)
  const warn = (sentence: string) => (error: unknown) =>
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, sentence)
  const activity = createSessionActivity(db, warn('activity was not written'))
  const house = startRetention(db, settings.isDemo, warn('what is over was not removed'))
  app.addHook('onReady', () => mail.work())
  app.addHook('preClose', () => jobs.close())
  app.addHook('onClose', async () => {
    await background.finish()
    await hasher.close()
    await activity.close()
    await house.close()
    mail.close()
    await bus.close()
    await database.close()
  })
  return {
    settings,
    database,
    db,
    write,
    keys,
    hasher,
    viewers: createViewers(db, keys, bus),
    limits: createRateLimits(settings.limitFactor, pool),
    refusedAccess: createRefusedAccess({ write, background: background.add }),
    activity,
    mail,
    objects: await openObjectStore(settings, db),
    bus,
    jobs,
    log,
    publicUrl: () => settings.publicUrl ?? `http://localhost:${portOf(app) ?? settings.port}`,
    background: background.add,
  }
}

/** The port that was really taken: with PORT=0 the system chooses. */
function portOf(app: FastifyInstance): number | undefined {
  const address = app.server.address()
  return typeof address === 'object' ? address?.port : undefined
}

async function install(app: FastifyInstance, deps: Dependencies): Promise<void> {
  await app.register(cookie)
  registerRequestTimeouts(app)
  registerRequestLog(app)
  registerHeaders(app, deps.settings)
  registerErrorResponses(app)
  registerJson(app)
  registerOrigins(app, deps)
  const store = await openReleaseStore(deps.settings)
  registerHealth(app, [
    { name: 'database', check: () => deps.database.ping() },
    { name: 'object store', check: () => deps.objects.ready() },
    { name: 'release registry', check: async () => assertComposed(await isComposed(store)) },
  ])
  await registerLiveChannel(app, deps)
  if (deps.settings.isDemo) {
    registerDemoMailbox(app, deps)
    registerDemoAddonApp(app, deps)
  }
  registerOpenApi(app)
  registerModule(app, deps, account, accountHandlers(deps))
  registerModule(app, deps, audit, auditHandlers(deps))
  registerModule(app, deps, businessUser, businessUserHandlers(deps))
  registerModule(app, deps, complaint, complaintHandlers(deps))
  registerModule(app, deps, email, emailHandlers(deps))
  registerModule(app, deps, organization, organizationHandlers(deps))
  registerModule(app, deps, override, overrideHandlers(deps, store))
  registerModule(app, deps, registration, registrationHandlers(deps))
  registerModule(app, deps, release, releaseHandlers(deps, store))
  registerModule(app, deps, role, roleHandlers())
  registerModule(app, deps, region, regionHandlers(deps))
  registerScanPages(app, deps)
  registerModule(app, deps, scan, scanHandlers(deps))
  await registerDicomWeb(app, deps)
  registerGateway(app, {
    store,
    runtimeSettings: toRuntimeSettings(deps.settings),
    personOf: (request, reply) =>
      readAudienceCookie(deps.keys, createCookies(request, reply, deps).read('dmp-audience')),
    overridesOf: createOverrideReader(deps),
    releases: deps.settings.releasesUrl,
  })
  app.all(`${apiRoot}/*`, async () => {
    throw notFound()
  })
}

function assertComposed(isComposed: boolean): void {
  if (!isComposed) throw new Error('nothing is live in the release registry')
}
