import { randomUUID } from 'node:crypto'
import type { PgBoss, Queue, QueueOptions } from 'pg-boss'

/** Of the database. */
export const schema = 'jobs'

/** A server that is silent for so long is dead, and its jobs go to another server. */
export const heartbeatSeconds = 30
export const daySeconds = 24 * 3600
const queueDefaults = { heartbeatSeconds: heartbeatSeconds, deleteAfterSeconds: daySeconds } satisfies QueueOptions

/** Work that goes on after an answer. Its server can be killed at any moment, so it must bear being begun again. */
const kinds = {
  /** Gets the transfers that failed too often. */
  'transfer-given-up': { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 60 },
  transfer: {
    ...queueDefaults,
    policy: 'key_strict_fifo',
    retryLimit: 50,
    expireInSeconds: daySeconds - 1,
    deadLetter: 'transfer-given-up',
  },
  /** Scans that were held back, once somebody has decided. */
  'held-scan-given-up': { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 60 },
  'held-scan': {
    ...queueDefaults,
    policy: 'key_strict_fifo',
    retryLimit: 50,
    expireInSeconds: daySeconds - 1,
    deadLetter: 'held-scan-given-up',
  },
  mail: {
    ...queueDefaults,
    policy: 'standard',
    retryLimit: 100,
    retryDelay: 60,
    retryBackoff: true,
    retryDelayMax: 3600,
  },
  /** Walks over audit chains that somebody asked for. */
  'audit-check': { ...queueDefaults, policy: 'standard', retryLimit: 2, expireInSeconds: daySeconds - 1 },
  /** The heads of the audit chains, by mail and to a bucket: one server of several does it. */
  'audit-mail': { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 60 },
  'audit-bucket': { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 60 },
  /** Gets the exports that failed too often. */
  'export-given-up': { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 60 },
  /** Archives of organizations; each goes on where it was left off. */
  export: {
    ...queueDefaults,
    policy: 'standard',
    retryLimit: 50,
    retryDelay: 10,
    expireInSeconds: daySeconds - 1,
    deadLetter: 'export-given-up',
  },
  /** Mails that a disk gets full: one server of several sends them. */
  'disk-notice': { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 60 },
  /** The part of a day of stored bytes that are read again. */
  scrub: { ...queueDefaults, policy: 'standard', retryLimit: 10, retryDelay: 600, expireInSeconds: daySeconds - 1 },
  /** Headers out of which goes what their series has in common, or into which it goes back. */
  'short-headers': {
    ...queueDefaults,
    policy: 'standard',
    retryLimit: 10,
    retryDelay: 60,
    expireInSeconds: daySeconds - 1,
  },
  /** Rows of before that a migration left to be filled in. */
  'back-fill': {
    ...queueDefaults,
    policy: 'standard',
    retryLimit: 50,
    retryDelay: 10,
    expireInSeconds: daySeconds - 1,
  },
} as const satisfies Record<string, Omit<Queue, 'name'>>
export type JobKind = keyof typeof kinds
export const jobKinds = Object.keys(kinds) as readonly JobKind[]

/** @param isAlone no other server does these jobs */
export async function prepareQueues(boss: PgBoss, isAlone: boolean): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const name of jobKinds) {
    const { policy, ...options } = kinds[name]
    // Each start would otherwise write what is there.
    if (!hasOptions(known.get(name), options)) {
      await boss.createQueue(name, { policy, ...options })
      await boss.updateQueue(name, options)
    }
    // Remembered from here on: inside of a transaction nothing else can be asked.
    await boss.findJobs(name, { id: randomUUID() })
  }
  if (isAlone) await takeAllBack(boss)
}

const hasOptions = (queue: QueueOptions | undefined, options: QueueOptions): boolean =>
  queue !== undefined &&
  Object.entries(options).every(([option, value]) => queue[option as keyof QueueOptions] === value)

/** The process that did these jobs is gone: this one has the database for itself. */
async function takeAllBack(boss: PgBoss): Promise<void> {
  const { rows } = await boss.getDb().executeSql(`select id, name from ${schema}.job where state = 'active'`)
  const remaining = Map.groupBy(rows as { id: string; name: string }[], ({ name }) => name)
  for (const name of jobKinds) {
    const ids = (remaining.get(name) ?? []).map(({ id }) => id)
    if (ids.length > 0) await boss.fail(name, ids)
  }
}
