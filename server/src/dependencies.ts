import type { ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { FastifyBaseLogger } from 'fastify'
import type { Bus } from './db/bus.ts'
import type { ChangeNews } from './db/changeNews.ts'
import type { Database, Db } from './db/client.ts'
import type { InboxNews } from './db/inboxNews.ts'
import type { Jobs } from './db/jobs.ts'
import type { Deletions } from './db/deletions.ts'
import type { RecentReads } from './db/recentReads.ts'
import type { Replicas } from './db/replicas.ts'
import type { NewsWaits } from './db/newsWaits.ts'
import type { Writer } from './db/write.ts'
import type { Arrivals } from './core/arrivals.ts'
import type { DiskSpace } from './core/diskSpace.ts'
import type { Metrics } from './core/metrics.ts'
import type { OpenResponses } from './core/openResponses.ts'
import type { Penalties } from './core/penalties.ts'
import type { RateLimits } from './core/rateLimits.ts'
import type { Stopping } from './core/stopping.ts'
import type { ApiTokens } from './identity/apiTokens.ts'
import type { RefusedAccess } from './identity/refusedAccess.ts'
import type { PasswordHasher } from './identity/password.ts'
import type { ServedPages } from './identity/servedPages.ts'
import type { SessionActivity } from './identity/sessionActivity.ts'
import type { Keys } from './identity/keys.ts'
import type { Viewers } from './identity/viewers.ts'
import type { Encryption } from './outside/encryption/encryption.ts'
import type { Mailer } from './outside/mail.ts'
import type { ByteBudget } from './core/byteBudget.ts'
import type { ObjectReader } from './dicom/objectReader.ts'
import type { PictureRenderer } from './dicom/pictureRenderer.ts'
import type { ObjectStore } from './outside/objectStore.ts'
import type { StoredObjects } from './outside/storedObjects.ts'
import type { Settings } from './settings/settings.ts'

/** The dependencies of the handlers. Created once per server (`createDependencies.ts`); tests create their own. */
export interface Dependencies {
  readonly settings: Settings
  readonly database: Database
  /** For reading. Changes go through `write`. */
  readonly db: Db
  /** For lists that may be a moment old, and never lack what their reader wrote. */
  readonly replicas: Replicas
  /** Rows that were read within the last seconds. */
  readonly recent: RecentReads
  /** For what reads ahead. */
  readonly deletions: Deletions
  /** A transaction with its audit row. */
  readonly write: Writer
  readonly keys: Keys
  /** Passwords, a few at a time. */
  readonly hasher: PasswordHasher
  readonly viewers: Viewers
  /** The machines behind API tokens. */
  readonly apiTokens: ApiTokens
  readonly limits: RateLimits
  /** Responses that are not finished, by address and person. */
  readonly openResponses: OpenResponses
  /** What callers lose the server by requests that break off or are refused. */
  readonly penalties: Penalties
  /** In which turns bytes of uploads are taken. */
  readonly arrivals: Arrivals
  /** Records that a viewer tried what the policy does not permit. */
  readonly refusedAccess: RefusedAccess
  /** When the people of sessions were last active. */
  readonly activity: SessionActivity
  /** Which releases went out to whose browser. */
  readonly servedPages: ServedPages
  readonly mail: Mailer
  /** Free space of the disks that the server writes to. */
  readonly disk: DiskSpace
  /** Encrypts and decrypts what is kept of scans; `objects` does so by itself. */
  readonly encryption: Encryption
  /** DICOM objects and other large things. */
  readonly objects: ObjectStore
  /** Threads that walk, inflate, parse and convert objects. */
  readonly reader: ObjectReader
  /** Threads that decode and draw frames. */
  readonly pictures: PictureRenderer
  /** Stored objects, for reading in parts. */
  readonly stored: StoredObjects
  /** Memory of responses that are made of objects. */
  readonly memory: ByteBudget
  /** The release store. */
  readonly releases: ReleaseStore
  /** Carries news to every server process at once. */
  readonly bus: Bus
  /** Requests that stay open until there is news for them. */
  readonly newsWaits: NewsWaits
  /** Says that an organization has changes that no `write` recorded. */
  readonly changeNews: ChangeNews
  /** Says whose inbox has changed by what no `write` recorded. */
  readonly inboxNews: InboxNews
  /** Work that goes on after an answer and survives the process. */
  readonly jobs: Jobs
  readonly stopping: Stopping
  /** What Prometheus is told; undefined where nobody asks. */
  readonly metrics: Metrics | undefined
  readonly log: FastifyBaseLogger
  /**
   * Where people reach the product, without a trailing slash. Links in mails are made from it, never from a request.
   */
  publicUrl(): string
  /** Work that goes on after an answer; the server waits for it before it stops. */
  background(work: Promise<unknown>): void
}
