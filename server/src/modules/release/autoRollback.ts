import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import type { Registry } from '@dmp/contract/release'
import { rollback } from '@dmp/release/activate'
import { stopCanary } from '@dmp/release/canary'
import { partsOf, Refused } from '@dmp/release/move'
import { canarySince, liveSince } from '@dmp/release/since'
import { readRegistry, readSnapshot, RegistryConflict, StoreError, Superseded, type Store } from '@dmp/release/store'
import { fullName } from '../../identity/user.ts'
import type { AuditEvent } from '../../db/audit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { getMetrics, listAffectedUsers, type MetricsQuery } from './metrics.ts'
import { rolledBackMail } from './release.mails.ts'
import { findRollbackReason } from './rollbackPolicy.ts'

/** In the registry, the audit trail and the log: nobody decided, the figures did. */
export const automatic = 'automatic'

type Needs = Pick<Dependencies, 'db' | 'write' | 'mail' | 'log' | 'settings'>

interface Case {
  readonly wasCanary: boolean
  readonly now: ReleaseFigures
  readonly before: ReleaseFigures | undefined
  readonly people: number
}

const dayMs = 86_400_000

/**
 * Looks at a release that a page could not load, or that threw, and takes it back when too much speaks against it: a
 * canary is stopped, what became live a while ago is rolled back. Of several servers that see it at once one does it.
 */
export async function checkForRollback(deps: Needs, store: Store, release: MetricsQuery): Promise<void> {
  if (!deps.settings.releaseWatch) return
  const registry = await readRegistry(store)
  const found = registry && (await caseOf(deps, store, registry, release))
  // One person alone, or one broken computer, takes nothing back from everybody.
  if (found === undefined || (!found.wasCanary && found.people < deps.settings.releaseWatchPeople)) return
  const reason = findRollbackReason(deps.settings, found.now, found.before)
  if (reason !== undefined) await takeBack(deps, store, release, found.wasCanary, reason)
}

/**
 * The figures of a release that is being watched, beside those of what it took the place of; undefined where nobody
 * watches it.
 */
async function caseOf(
  { db, settings }: Needs,
  store: Store,
  { live, canaries = [], history }: Registry,
  release: MetricsQuery,
): Promise<Case | undefined> {
  const { name, releaseId } = release
  const now = partsOf(await readSnapshot(store, live)).find((ref) => ref.name === name)
  const people = await listAffectedUsers(db, release)
  if (canaries.some((canary) => canary.name === name && canary.releaseId === releaseId)) {
    const begun = canarySince(history, release)
    const before = now && (await getMetrics(db, now, new Date(Date.now() - dayMs)))
    return { wasCanary: true, now: await getMetrics(db, release, new Date(begun?.at ?? 0)), before, people }
  }
  const begun = liveSince(history, name)
  if (now?.releaseId !== releaseId || now.previous === undefined || begun === undefined || begun.change === 'rollback')
    return undefined
  const at = new Date(begun.at)
  if (Date.now() - at.getTime() > settings.releaseWatchMinutes * 60_000) return undefined
  const before = await getMetrics(db, { name, releaseId: now.previous }, new Date(at.getTime() - dayMs), at)
  return { wasCanary: false, now: await getMetrics(db, release, at), before, people }
}

async function takeBack(
  { write, mail, log }: Needs,
  store: Store,
  { name, releaseId }: MetricsQuery,
  wasCanary: boolean,
  reason: string,
): Promise<void> {
  const event: AuditEvent = wasCanary ? 'CanaryStopped' : 'ReleaseRolledBack'
  try {
    // What cannot be recorded does not happen: the pointer moves last, before all of it is committed.
    await write({ viewer: null, request: { id: automatic, ip: '' } }, async ({ trx, audit, afterwards }) => {
      const admins = await trx
        .selectFrom('users')
        .select(['email', 'civility', 'first_name', 'last_name'])
        .where('role', '=', 'super_admin')
        .where('status', '=', 'Activated')
        .execute()
      for (const admin of admins)
        await mail.queue(
          trx,
          rolledBackMail(
            { email: admin.email, fullName: fullName(admin) },
            { part: name, releaseId, wasCanary, reason },
          ),
        )
      await audit({ event, subject: { part: name, releaseId, by: automatic, reason } })
      const author = { by: automatic, reason, from: releaseId }
      await (wasCanary ? stopCanary(store, name, author) : rollback(store, { ...author, part: name }))
      afterwards(mail.deliver)
    })
    log.error(
      { part: name, release: releaseId, reason },
      wasCanary ? 'a canary was stopped by itself' : 'a release was rolled back by itself',
    )
  } catch (error) {
    // Another server was faster, or somebody decided meanwhile.
    if (error instanceof Superseded || error instanceof RegistryConflict) return
    if (!(error instanceof Refused || error instanceof StoreError)) throw error
    log.error(
      { part: name, release: releaseId, reason, problem: error.message },
      'a bad release could not be taken back by itself',
    )
  }
}
