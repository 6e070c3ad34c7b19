import { DatabaseHosts } from './db/databaseHosts.ts'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createBackground } from './core/background.ts'
import { Arrivals } from './core/arrivals.ts'
import { DiskSpace } from './core/diskSpace.ts'
import { Metrics } from './core/metrics.ts'
import { OpenResponses } from './core/openResponses.ts'
import { ByteBudget } from './core/byteBudget.ts'
import { Penalties } from './core/penalties.ts'
import { createRateLimits } from './core/rateLimits.ts'
import { Stopping } from './core/stopping.ts'
import { createLocalBus, openSharedBus, type Bus } from './db/bus.ts'
import { createChangeNews } from './db/changeNews.ts'
import { createInboxNews } from './db/inboxNews.ts'
import type { Database, Db } from './db/client.ts'
import { openJobs } from './db/jobs.ts'
import { Deletions } from './db/deletions.ts'
import { RecentReads } from './db/recentReads.ts'
import { openReplicas } from './db/replicas.ts'
import { NewsWaits } from './db/newsWaits.ts'
import { startRetention } from './db/retention.ts'
import { startStatistics } from './db/statistics.ts'
import { createWriter, type Writer } from './db/write.ts'
import type { Dependencies } from './dependencies.ts'
import { ObjectReader } from './dicom/objectReader.ts'
import { PictureRenderer } from './dicom/pictureRenderer.ts'
import { readKeys } from './identity/keys.ts'
import type { HashingThreads } from './identity/hashingThreads.ts'
import { createPasswordHasher } from './identity/password.ts'
import { createApiTokens } from './identity/apiTokens.ts'
import { createApiTokenUses } from './identity/apiTokenUses.ts'
import { createRefusedAccess } from './identity/refusedAccess.ts'
import { createServedPages } from './identity/servedPages.ts'
import { createSessionActivity } from './identity/sessionActivity.ts'
import { createViewers } from './identity/viewers.ts'
import { openEncryption } from './outside/encryption/encryption.ts'
import { createMailer } from './outside/mail.ts'
import { openObjectStore } from './outside/openObjectStore.ts'
import { openReleaseStore } from './outside/openReleaseStore.ts'
import { StoredObjects } from './outside/storedObjects.ts'
import type { Settings } from './settings/settings.ts'

/**
 * Creates what the modules stand on, and closes it with the server: first the work that is under way, last the
 * database.
 */
export async function createDependencies(
  app: FastifyInstance,
  settings: Settings,
  database: Database,
  log: FastifyBaseLogger,
  hashing?: HashingThreads,
): Promise<Dependencies> {
  const { db, pool } = database
  const oversight = createOversight(app, settings)
  const bus = await openBus(database, settings)
  const newsWaits = openNewsWaits(app, bus)
  const jobs = await openJobs(database, bus, log, settings)
  const keys = await readKeys(settings)
  const hasher = createPasswordHasher(settings, hashing)
  const mail = createMailer(db, jobs, settings, log)
  const background = createBackground(log)
  const data = await openData(database, bus, settings, log)
  const write = createWriter(db, keys.audit, data)
  const stores = await openStores(settings, db, write, toDiskSpace(settings))
  const notes = startNotes(database, settings, createWarner(log))
  const recent = new RecentReads(bus)
  const refusedAccess = createRefusedAccess({ write, background: background.add })
  app.addHook('onReady', () => mail.work()).addHook('preClose', () => jobs.close())
  app.addHook('onClose', async () => {
    // Requests are over, so nobody waits for what is being drawn.
    await stores.pictures.close()
    await background.finish()
    stores.stored.close()
    await stores.objects.close()
    for (const part of [stores.pictures, stores.reader, hasher, data.replicas, ...Object.values(notes)])
      await part?.close()
    mail.close()
    await bus.close()
    await database.close()
  })
  return {
    settings,
    ...data,
    write,
    keys,
    hasher,
    recent,
    deletions: new Deletions(bus),
    viewers: createViewers(db, keys, bus),
    apiTokens: createApiTokens({ db, recent, keys, uses: notes.uses, refusedAccess }),
    ...createBounds(settings, pool),
    refusedAccess,
    activity: notes.activity,
    servedPages: notes.servedPages,
    mail,
    ...stores,
    releases: await openReleaseStore(settings),
    newsWaits,
    jobs,
    ...oversight,
    log,
    publicUrl: () => settings.publicUrl ?? `http://localhost:${portOf(app) ?? settings.port}`,
    background: background.add,
  }
}

/** Rows, and the news of them. */
const openData = async (database: Database, bus: Bus, settings: Settings, log: FastifyBaseLogger) => ({
  database,
  db: database.db,
  replicas: await openReplicas(database, settings, log),
  bus,
  changeNews: createChangeNews(bus),
  inboxNews: createInboxNews(bus),
})

/** What operators tell the server, and what it tells them. */
function createOversight(app: FastifyInstance, { metricsPort }: Settings): Pick<Dependencies, 'stopping' | 'metrics'> {
  const stopping = new Stopping()
  app.addHook('preClose', async () => stopping.begin())
  return { stopping, metrics: metricsPort === undefined ? undefined : new Metrics() }
}

/** What a caller can make the server do at most. */
const createBounds = (settings: Settings, pool: Database['pool']) => ({
  limits: createRateLimits(settings.limitFactor, pool),
  openResponses: new OpenResponses(settings.openResponsesPerAddress, settings.openResponsesPerPerson),
  // Tighter limits of calls, as tests set them, leave alone what a bad line may cost.
  penalties: new Penalties(Math.max(1, settings.limitFactor)),
  arrivals: new Arrivals(),
  memory: new ByteBudget(settings.readMegabytes * 2 ** 20, settings.readPersonMegabytes * 2 ** 20),
})

/** Requests that wait for news would keep the server from closing. */
function openNewsWaits(app: FastifyInstance, bus: Bus): NewsWaits {
  const newsWaits = new NewsWaits(bus)
  app.addHook('preClose', async () => newsWaits.close())
  return newsWaits
}

/** What scans lie in. */
export async function openStores(
  settings: Settings,
  db: Db,
  write: Writer,
  disk: DiskSpace,
): Promise<Pick<Dependencies, 'disk' | 'encryption' | 'objects' | 'reader' | 'pictures' | 'stored'>> {
  const encryption = await openEncryption(settings, db, write)
  const objects = await openObjectStore(settings, db, encryption, disk)
  const reader = openObjectReader(settings)
  const pictures = new PictureRenderer(settings.pictureThreads)
  const stored = new StoredObjects(objects, reader, scratchFolder(settings), disk)
  return { disk, encryption, objects, reader, pictures, stored }
}

/** A PostgreSQL watches its own disk. */
export const toDiskSpace = ({ dataDir, databaseUrl, diskReserveMegabytes, diskNoticeMegabytes }: Settings): DiskSpace =>
  new DiskSpace(
    {
      ...(databaseUrl === undefined && { database: [join(dataDir, 'database')] }),
      objects: [
        join(dataDir, 'incoming'),
        join(dataDir, 'segments'),
        join(dataDir, 'uploads'),
        join(dataDir, 'imports'),
      ],
    },
    { reserveBytes: diskReserveMegabytes * 2 ** 20, noticeBytes: diskNoticeMegabytes * 2 ** 20 },
  )

/** Where objects are staged: what a crash leaves there is removed. */
const scratchFolder = ({ dataDir }: Settings): string => join(dataDir, 'incoming')

export const openObjectReader = (settings: Settings): ObjectReader =>
  new ObjectReader(scratchFolder(settings), settings.readSeconds * 1000)

/** What requests leave behind, written together now and then, and removed when it is old. */
const startNotes = ({ db, embedded }: Database, settings: Settings, warn: ReturnType<typeof createWarner>) => ({
  activity: createSessionActivity(db, warn('activity was not written')),
  uses: createApiTokenUses(db, warn('uses of API tokens were not written')),
  servedPages: createServedPages(db, warn('served pages were not counted')),
  retention: startRetention(db, settings, warn('rows past their retention were not removed')),
  // A PostgreSQL looks at its tables by itself.
  statistics: embedded && startStatistics(db, warn('the statistics of tables were not renewed')),
})

const createWarner = (log: FastifyBaseLogger) => (sentence: string) => (error: unknown) =>
  log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, sentence)

/** Servers that share a PostgreSQL share their news; an embedded database has one server. */
const openBus = async ({ hosts }: Database, { databaseDirectUrl }: Settings): Promise<Bus> =>
  hosts
    ? openSharedBus(databaseDirectUrl === undefined ? hosts : new DatabaseHosts(databaseDirectUrl))
    : createLocalBus()

/** The port that was really taken: with PORT=0 the system chooses. */
function portOf(app: FastifyInstance): number | undefined {
  const address = app.server.address()
  return typeof address === 'object' ? address?.port : undefined
}
