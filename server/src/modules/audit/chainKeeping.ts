import { appendFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { lockChain, record } from '../../db/audit.ts'
import { keyedVersion } from '../../db/auditHash.ts'
import type { JobKind } from '../../db/jobQueues.ts'
import { toJobId } from '../../db/jobs.ts'
import type { Dependencies } from '../../dependencies.ts'
import { headsMail } from './auditHeads.mails.ts'
import { runCheck } from './chainCheck.ts'
import { findUpgradeEnd, readKeyedSince, writeKeyedSince, type KnownKeyed } from './keyedSince.ts'
import { formatHeads, listHeads, listNewestRows, openHeadBucket, toHeadFile, writeToBucket } from './heads.ts'

const everyMs = 3_600_000

/**
 * Keeps the audit chains: rows of before get under a key, heads are written where the database's owner cannot change
 * them (at the start, every hour and at the stop), and walks that people ask for are done.
 */
export function keepChains(app: FastifyInstance, deps: Dependencies): void {
  const { jobs, log } = deps
  const write = createHeadWriter(deps)
  let running = Promise.resolve()
  const round = (): void => {
    running = running
      .then(async () => {
        await keepKeyed(deps)
        await write()
        await addHeadJobs(deps)
      })
      .catch((error: unknown) =>
        log.error({ reason: reasonOf(error) }, 'the heads of the audit chains were not written'),
      )
  }
  const timer = setInterval(round, everyMs)
  timer.unref()
  app.addHook('onReady', async () => {
    round()
    await running
    await jobs.work('audit-check', 1, (job) => runCheck(deps, job))
    await workOnHeads(deps)
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await running
    await write().catch((error: unknown) =>
      log.error({ reason: reasonOf(error) }, 'the last heads of the audit chains were not written'),
    )
  })
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')

/** The first time it writes down that the chains have keys; later on, rows without a key are no upgrade. */
async function keepKeyed(deps: Dependencies): Promise<void> {
  const { db, keys, settings } = deps
  const known = readKeyedSince(settings, keys.audit)
  await coverUnkeyedRows(deps, known)
  if (known === undefined) await writeKeyedSince(settings, db, keys.audit)
}

/** Appends a keyed row to each chain whose newest row has no key: its hash covers all rows before it. */
export async function coverUnkeyedRows(
  { db, keys, log }: Pick<Dependencies, 'db' | 'keys' | 'log'>,
  known: KnownKeyed,
): Promise<void> {
  const isUpgrade = known !== 'foreign' && Date.now() <= (await findUpgradeEnd(known, db))
  for (const { chain, position, hash_version } of await listNewestRows(db)) {
    if (hash_version >= keyedVersion) continue
    // A keyed row after them would pass a forgery for an upgrade.
    if (!isUpgrade) {
      log.error(
        { chain, position },
        'the newest records of an audit chain have no key although the chains have had keys for long: run npm run admin -- audit',
      )
      continue
    }
    await db.transaction().execute(async (trx) => {
      const last = await lockChain(trx, chain)
      // Another server was faster.
      if (last === undefined || last.hash_version >= keyedVersion) return
      await record(
        { trx, keys: keys.audit },
        null,
        { id: 'start', ip: 'this machine' },
        {
          event: 'AuditChainKeyed',
          organizationId: chain === 'platform' ? null : chain,
          subject: { recordsBefore: last.position },
        },
      )
    })
  }
}

/** Writes the heads that changed to the log and to the file. */
function createHeadWriter({ db, keys, settings, log }: Dependencies): () => Promise<void> {
  const written = new Map<string, number>()
  return async () => {
    const heads = (await listHeads(db, keys.audit)).filter(({ chain, position }) => written.get(chain) !== position)
    if (heads.length === 0) return
    await appendFile(toHeadFile(settings), formatHeads(heads), { mode: 0o600 })
    for (const auditHead of heads) {
      log.info({ auditHead }, 'audit head')
      written.set(auditHead.chain, auditHead.position)
    }
  }
}

/** One job for each hour and each day, whichever server adds it. */
async function addHeadJobs({ db, jobs, settings }: Dependencies): Promise<void> {
  const now = new Date().toISOString()
  const due: [JobKind, string][] = [
    ...(settings.auditBucket === undefined ? [] : [['audit-bucket', now.slice(0, 13)] as [JobKind, string]]),
    ...(settings.auditMail === undefined ? [] : [['audit-mail', now.slice(0, 10)] as [JobKind, string]]),
  ]
  for (const [kind, slot] of due) {
    await db.transaction().execute((trx) => jobs.add(trx, kind, [{ id: toJobId(`${kind} ${slot}`) }]))
    jobs.wake(kind)
  }
}

async function workOnHeads({ db, jobs, keys, mail, settings, publicUrl }: Dependencies): Promise<void> {
  const bucket = openHeadBucket(settings)
  if (bucket)
    await jobs.work('audit-bucket', 1, async () =>
      writeToBucket(bucket, await listHeads(db, keys.audit), settings.auditLockDays),
    )
  const { auditMail } = settings
  if (auditMail !== undefined)
    await jobs.work('audit-mail', 1, async () => {
      const letter = headsMail(auditMail, await listHeads(db, keys.audit), publicUrl())
      await db.transaction().execute((trx) => mail.queue(trx, letter))
      mail.deliver()
    })
}
