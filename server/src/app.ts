import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createDependencies } from './createDependencies.ts'
import { openDatabase, type Database, type DatabaseLocation } from './db/client.ts'
import { startClockWatch, type ClockWatch } from './db/clockWatch.ts'
import { migrate } from './db/migrate.ts'
import { patiently } from './db/patience.ts'
import type { Dependencies } from './dependencies.ts'
import { assertComposed, registerGateway } from './gateway/gateway.ts'
import { createFastifyOptions, createLogger } from './http/fastifyOptions.ts'
import type { Concern } from './http/health.ts'
import { registerHttp } from './http/index.ts'
import { registerModule } from './http/routes.ts'
import { findPerson } from './identity/personCookie.ts'
import { registerOAuth } from './modules/apiToken/oauth.routes.ts'
import { keepChains } from './modules/audit/chainKeeping.ts'
import { watchQuietSeries } from './modules/changes/quietSeries.ts'
import { registerDicomWeb } from './modules/dicomweb/dicomweb.routes.ts'
import { registerDicomNode, type DicomNode } from './modules/dicomNode/dicomNode.ts'
import { modules } from './modules/index.ts'
import { watchWebhooks } from './modules/webhook/webhookSender.ts'
import { describeScarce, watchDisk } from './modules/disk/diskWatch.ts'
import { sendInboxMails } from './modules/inbox/inboxMailing.ts'
import { createOverrideReader } from './modules/override/override.page.ts'
import { keepKeyMemory } from './modules/release/keyMemory.ts'
import { recoverObjects, startObjectSweep } from './modules/scan/intake/objectRecovery.ts'
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
  readonly log?: FastifyBaseLogger
  /** What is still being built, in people's words. */
  readonly listComing?: (() => readonly string[]) | undefined
}

/** Everything but listening. */
export async function makeServer(
  settings: Settings,
  { log = createLogger(settings), place = toLocation(settings, log), listComing }: Overrides = {},
): Promise<Server> {
  const database = await openDatabase(place)
  try {
    const newerNames = await migrate(database.db, settings)
    if (newerNames.length > 0)
      log.warn(`a newer version has added to the database (${newerNames.join(', ')}); this one goes on with it`)
    const clock = await startClockWatch(database, log)
    const app = Fastify(createFastifyOptions(log, settings))
    const deps = await createDependencies(app, settings, database, log)
    await seed(deps)
    await keepKeyMemory(deps)
    await patiently(() => recoverObjects(deps.db, deps.objects, othersMayBeUploading(database) ? 3_600_000 : 0))
    startSweep(app, deps)
    keepChains(app, deps)
    watchDisk(app, deps)
    watchQuietSeries(app, deps)
    watchWebhooks(app, deps)
    sendInboxMails(app, deps)
    const dicomNode = registerDicomNode(app, deps)
    await registerRoutes(app, deps, clock, listComing)
    return { app, deps, dicomNode, close: () => app.close() }
  } catch (error) {
    await database.close()
    throw error
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
  registerScanRoutes(app, deps)
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

const toLocation = (settings: Settings, log: FastifyBaseLogger): DatabaseLocation => {
  const { databaseUrl, databasePool, dataDir, diskReserveMegabytes } = settings
  return databaseUrl === undefined
    ? {
        kind: 'folder',
        folder: dataDir,
        leastFreeBytes: Math.min(databaseFloorBytes, (diskReserveMegabytes * 2 ** 20) / 2),
        onReopened: () =>
          log.warn('a statement of the embedded database took too long and was ended; it was opened anew'),
        onStuck: () => endStuckProcess(log),
      }
    : { kind: 'postgres', url: databaseUrl, poolSize: databasePool }
}

/** Two segments of PostgreSQL's log, and as much again for what they are about. */
const databaseFloorBytes = 48 * 2 ** 20

/** Everything that was answered is on the disk; the next start finds it. */
function endStuckProcess(log: FastifyBaseLogger): void {
  const sentence =
    'The embedded database has not answered for a minute, so the server ends. Nothing that was confirmed is lost. ' +
    'Make sure that the disk of the data folder has free space and responds, and start the server again.'
  log.fatal(sentence)
  process.stderr.write(`${sentence}\n`)
  process.exit(70)
}
