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
import { localBus, sharedBus } from './db/bus.ts'
import { openDatabase, type Database, type DatabasePlace } from './db/client.ts'
import { keepHouse } from './db/housekeeping.ts'
import { openJobs } from './db/jobs.ts'
import { migrate } from './db/migrate.ts'
import { seed } from './db/seed/seed.ts'
import { writer } from './db/write.ts'
import { backgroundOf } from './background.ts'
import { cookiesOf } from './http/caller.ts'
import { installErrors } from './http/errors.ts'
import { installJson } from './http/json.ts'
import { apiRoot, serve } from './http/implement.ts'
import { limitsOf } from './http/limits.ts'
import { refusedAccessOf } from './http/refusedAccess.ts'
import { installLive } from './http/live.ts'
import { registerDicomWeb } from './http/dicom-web/index.ts'
import { installDevApp } from './http/devApp.ts'
import { installDevMail } from './http/devMail.ts'
import { isComposed, registerGateway } from './http/gateway.ts'
import { installOpenApi } from './http/openapi.ts'
import { fastifyOptions, loggerOf } from './http/options.ts'
import { installOrigins } from './http/origins.ts'
import { installPatience } from './http/patience.ts'
import { installRequestLog } from './http/requestLog.ts'
import { installHeaders } from './http/headers.ts'
import { installHealth } from './http/health.ts'
import { notThere } from './http/refusal.ts'
import { accountHandlers } from './modules/account/account.handlers.ts'
import { activityOf } from './modules/account/activity.ts'
import { readKeys } from './modules/account/keys.ts'
import { hasherOf } from './modules/account/password.ts'
import { viewersOf } from './modules/account/viewers.ts'
import { auditHandlers } from './modules/audit/audit.handlers.ts'
import { businessUserHandlers } from './modules/businessUser/businessUser.handlers.ts'
import { complaintHandlers } from './modules/complaint/complaint.handlers.ts'
import { organizationHandlers } from './modules/organization/organization.handlers.ts'
import { overrideHandlers } from './modules/override/override.handlers.ts'
import { overridesOf } from './modules/override/override.page.ts'
import { regionHandlers } from './modules/region/region.handlers.ts'
import { registrationHandlers } from './modules/registration/registration.handlers.ts'
import { releaseHandlers } from './modules/release/release.handlers.ts'
import { personOf } from './modules/release/ring.ts'
import { roleHandlers } from './modules/role/role.handlers.ts'
import { recoverObjects } from './modules/scan/intake.recovery.ts'
import { registerScanPages, scanHandlers } from './modules/scan/scan.handlers.ts'
import { emailHandlers } from './modules/email/email.handlers.ts'
import { mailerOf } from './outside/mail.ts'
import { openObjectStore } from './outside/openObjectStore.ts'
import { openReleaseStore } from './outside/openReleaseStore.ts'
import type { Parts } from './parts.ts'
import { runtimeSettingsOf } from './runtimeSettings.ts'
import type { Settings } from './settings.ts'

export interface Server {
  readonly app: FastifyInstance
  readonly parts: Parts
  /** Answers what is under way, finishes background work, closes the database. */
  close(): Promise<void>
}

interface Overrides {
  /** Tests bring a prepared database in memory. */
  readonly place?: DatabasePlace
  readonly log?: FastifyBaseLogger
}

/** Everything but listening. */
export async function makeServer(
  settings: Settings,
  { place = placeOf(settings), log = loggerOf(settings) }: Overrides = {},
): Promise<Server> {
  const database = await openDatabase(place)
  try {
    await migrate(database.db)
    const app = Fastify(fastifyOptions(log, settings))
    const parts = await partsOf(app, settings, database, log)
    await seed(parts)
    await recoverObjects(parts.db, parts.objects, othersMayBeUploading(database) ? 3_600_000 : 0)
    await install(app, parts)
    return { app, parts, close: () => app.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** An embedded database has one server; on PostgreSQL another one may be in the middle of an upload. */
const othersMayBeUploading = ({ pool }: Database): boolean => pool !== undefined

const placeOf = ({ databaseUrl, databasePool, dataDir }: Settings): DatabasePlace =>
  databaseUrl === undefined
    ? { kind: 'folder', folder: dataDir }
    : { kind: 'postgres', url: databaseUrl, poolSize: databasePool }

async function partsOf(
  app: FastifyInstance,
  settings: Settings,
  database: Database,
  log: FastifyBaseLogger,
): Promise<Parts> {
  const { db, pool } = database
  const bus = pool && settings.databaseUrl !== undefined ? await sharedBus(pool, settings.databaseUrl) : localBus()
  const jobs = await openJobs(database, bus, log)
  const keys = await readKeys(settings)
  const hasher = hasherOf(settings)
  const mail = mailerOf(db, jobs, settings, log)
  const background = backgroundOf(log)
  const write = writer(db)
  const warn = (sentence: string) => (error: unknown) =>
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, sentence)
  const activity = activityOf(db, warn('activity was not written'))
  const house = keepHouse(db, settings.isDemo, warn('what is over was not removed'))
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
    viewers: viewersOf(db, keys, bus),
    limits: limitsOf(settings.limitFactor, pool),
    refusedAccess: refusedAccessOf({ write, background: background.add }),
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

async function install(app: FastifyInstance, parts: Parts): Promise<void> {
  await app.register(cookie)
  installPatience(app)
  installRequestLog(app)
  installHeaders(app, parts.settings)
  installErrors(app)
  installJson(app)
  installOrigins(app, parts)
  const store = await openReleaseStore(parts.settings)
  installHealth(app, [
    { name: 'database', check: () => parts.database.ping() },
    { name: 'object store', check: () => parts.objects.ready() },
    { name: 'release registry', check: async () => assertComposed(await isComposed(store)) },
  ])
  await installLive(app, parts)
  if (parts.settings.isDemo) {
    installDevMail(app, parts)
    installDevApp(app, parts)
  }
  installOpenApi(app)
  serve(app, parts, account, accountHandlers(parts))
  serve(app, parts, audit, auditHandlers(parts))
  serve(app, parts, businessUser, businessUserHandlers(parts))
  serve(app, parts, complaint, complaintHandlers(parts))
  serve(app, parts, email, emailHandlers(parts))
  serve(app, parts, organization, organizationHandlers(parts))
  serve(app, parts, override, overrideHandlers(parts, store))
  serve(app, parts, registration, registrationHandlers(parts))
  serve(app, parts, release, releaseHandlers(parts, store))
  serve(app, parts, role, roleHandlers())
  serve(app, parts, region, regionHandlers(parts))
  registerScanPages(app, parts)
  serve(app, parts, scan, scanHandlers(parts))
  await registerDicomWeb(app, parts)
  registerGateway(app, {
    store,
    runtimeSettings: runtimeSettingsOf(parts.settings),
    personOf: (request, reply) => personOf(parts.keys, cookiesOf(request, reply, parts).read('dmp-ring')),
    overridesOf: overridesOf(parts),
    releases: parts.settings.releasesUrl,
  })
  app.all(`${apiRoot}/*`, async () => {
    throw notThere()
  })
}

function assertComposed(isComposed: boolean): void {
  if (!isComposed) throw new Error('nothing is live in the release registry')
}
