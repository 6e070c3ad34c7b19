import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createDependencies } from './createDependencies.ts'
import { fillBack } from './db/backFills/fillBack.ts'
import { openDatabase, type Database, type DatabaseLocation } from './db/client.ts'
import { startClockWatch, type ClockWatch } from './db/clockWatch.ts'
import { migrate } from './db/migrate.ts'
import { patiently } from './db/patience.ts'
import { toLocation } from './databaseLocation.ts'
import type { Dependencies } from './dependencies.ts'
import { assertComposed, registerGateway } from './gateway/gateway.ts'
import { createFastifyOptions } from './http/fastifyOptions.ts'
import type { Concern } from './http/health.ts'
import { registerHttp } from './http/index.ts'
import { createLogger } from './http/logger.ts'
import { registerModule } from './http/routes.ts'
import { findPerson } from './identity/personCookie.ts'
import { registerOpenApi } from './modules/openapi/openapi.routes.ts'
import { watchNews } from './modules/release/notices/newsRounds.ts'
import { tidyReleases } from './modules/release/tidyRounds.ts'
import type { HashingThreads } from './identity/hashingThreads.ts'
import { registerOAuth } from './modules/apiToken/oauth.routes.ts'
import { watchAccess } from './modules/audit/alerts/alertRounds.ts'
import { keepChains } from './modules/audit/chainKeeping.ts'
import { watchQuietSeries } from './modules/changes/quietSeries.ts'
import { registerDicomWeb } from './modules/dicomweb/dicomweb.routes.ts'
import { registerDicomNode, type DicomNode } from './modules/dicomNode/dicomNode.ts'
import { modules } from './modules/index.ts'
import { watchWebhooks } from './modules/webhook/webhookSender.ts'
import { scrubStore } from './modules/scan/check/scrub.ts'
import { describeScarce, watchDisk } from './modules/disk/diskWatch.ts'
import { sendInboxMails } from './modules/inbox/inboxMailing.ts'
import { registerImports } from './modules/organization/import/import.routes.ts'
import { registerExports } from './modules/organization/export/export.routes.ts'
import { createOverrideReader } from './modules/override/override.page.ts'
import { keepKeyMemory } from './modules/release/keyMemory.ts'
import { keepHeadersShort } from './modules/scan/headers/headerRounds.ts'
import { recoverObjects, startObjectSweep } from './modules/scan/intake/objectRecovery.ts'
import { registerUploaderUpdates } from './modules/station/uploaderUpdates.ts'
import { registerScanRoutes } from './modules/scan/scan.handlers.ts'
import { seed } from './modules/seed.ts'
import { toRuntimeSettings } from './settings/runtimeSettings.ts'
import type { Settings } from './settings/settings.ts'

export interface Server {
  readonly app: FastifyInstance
  readonly deps: Dependencies
  readonly dicomNode: DicomNode
  /** Completes the open requests, finishes background work, closes the database. */
  close(): Promise<void>
}

interface Overrides {
  /** Tests bring a prepared database in memory. */
  readonly place?: DatabaseLocation
  /** One that is being opened already. */
  readonly opening?: Promise<Database>
  readonly log?: FastifyBaseLogger
  /** Threads that several servers of a process share, which whoever started them closes. */
  readonly hashing?: HashingThreads
  /** What is still being built, in people's words. */
  readonly listComing?: (() => readonly string[]) | undefined
}

/** Everything but listening. */
export async function makeServer(
  settings: Settings,
  { log = createLogger(settings), place = toLocation(settings, log), opening, listComing, hashing }: Overrides = {},
): Promise<Server> {
  const database = await (opening ?? openDatabase(place))
  try {
    const newerNames = await migrateAtStart(database, settings)
    if (newerNames.length > 0)
      log.warn(`a newer version has added to the database (${newerNames.join(', ')}); this one goes on with it`)
    const clock = await startClockWatch(database, log)
    const app = Fastify(createFastifyOptions(log, settings))
    const deps = await createDependencies(app, settings, database, log, hashing)
    await seed(deps)
    await keepKeyMemory(deps)
    await patiently(() => recoverObjects(deps.db, deps.objects, othersMayBeUploading(database) ? 3_600_000 : 0))
    startSweep(app, deps)
    keepChains(app, deps)
    watchDisk(app, deps)
    scrubStore(app, deps)
    fillBack(app, deps)
    keepHeadersShort(app, deps)
    watchQuietSeries(app, deps)
    watchWebhooks(app, deps)
    watchAccess(app, deps)
    sendInboxMails(app, deps)
    tidyReleases(app, deps)
    watchNews(app, deps)
    const dicomNode = registerDicomNode(app, deps)
    await registerRoutes(app, deps, clock, listComing)
    return { app, deps, dicomNode, close: () => app.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** A pooler gives no connection away for as long as a migration may take. */
async function migrateAtStart({ db, pool }: Database, settings: Settings): Promise<readonly string[]> {
  if (!pool || settings.databaseDirectUrl === undefined) return migrate(db, settings)
  const direct = await openDatabase({ kind: 'postgres', url: settings.databaseDirectUrl, poolSize: 2 })
  try {
    return await migrate(direct.db, settings)
  } finally {
    await direct.close()
  }
}

function startSweep(app: FastifyInstance, { db, objects, log }: Dependencies): void {
  const sweep = startObjectSweep(db, objects, (error) =>
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'leftovers of uploads were not removed'),
  )
  app.addHook('preClose', () => sweep.close())
}

async function registerRoutes(
  app: FastifyInstance,
  deps: Dependencies,
  clock: ClockWatch,
  listComing: Overrides['listComing'],
): Promise<void> {
  app.addHook('preClose', () => clock.close())
  await registerHttp(app, deps, [{ name: 'release registry', check: () => assertComposed(deps.releases) }], () =>
    listConcerns(deps, clock),
  )
  for (const { contract, createHandlers } of modules) registerModule(app, deps, contract, createHandlers(deps))
  registerOAuth(app, deps)
  registerOpenApi(app, deps)
  registerScanRoutes(app, deps)
  registerExports(app, deps)
  await registerImports(app, deps)
  registerUploaderUpdates(app, deps)
  await registerDicomWeb(app, deps)
  registerGateway(app, {
    store: deps.releases,
    runtimeSettings: toRuntimeSettings(deps.settings),
    findPerson: (request, reply) => findPerson(deps, request, reply),
    pageServed: (request, reply, { releases, needed }) => {
      const sessionId = findPerson(deps, request, reply)?.sessionId
      if (sessionId !== undefined) deps.servedPages.served(sessionId, releases, needed)
    },
    readOverrides: createOverrideReader(deps),
    releases: deps.settings.releasesUrl,
    listComing,
  })
}

async function listConcerns({ disk }: Dependencies, clock: ClockWatch): Promise<Concern[]> {
  const clockConcern = clock.concern()
  return [
    ...(await disk.listScarce()).map((found) => ({ sentence: describeScarce(found), limits: found.isFull })),
    ...(clockConcern === undefined ? [] : [{ sentence: clockConcern, limits: false }]),
  ]
}

/** An embedded database has one server; on PostgreSQL another one may be in the middle of an upload. */
const othersMayBeUploading = ({ pool }: Database): boolean => pool !== undefined
