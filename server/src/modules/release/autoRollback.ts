import type { Registry } from '@dmp/contract/release'
import { rollback } from '@dmp/release/activate'
import { stopCanary } from '@dmp/release/canary'
import { listReleaseRefs } from '@dmp/release/move'
import { ReleaseRefused } from '@dmp/release/ReleaseRefused'
import { findCanaryStart, findActivation } from '@dmp/release/moveHistory'
import {
  readRegistry,
  readSnapshot,
  RegistryConflict,
  StoreError,
  Superseded,
  type ReleaseStore,
} from '@dmp/release/store/ReleaseStore'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import type { WriteContext } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findKept } from '@dmp/release/kept'
import { getEvidence, type Evidence, type MetricsQuery } from './metrics.ts'
import { withdrawalMail } from './release.mails.ts'
import { tellSuperAdministrators } from '../account/tellSuperAdministrators.ts'
import { findRollbackReason, listAffectedOrganizations } from './rollbackPolicy.ts'
import { countActiveCustomers, countReachedOrganizations, listAffected } from './witness.ts'

/** Author of moves that no person decided, in the registry, the audit trail and the log. */
export const automatic = 'automatic'

export type RollbackDependencies = Pick<Dependencies, 'db' | 'write' | 'mail' | 'log' | 'settings'>

/** A release that is watched: a canary, or what became live for everybody recently. */
export interface Watched {
  readonly wasCanary: boolean
  /** A canary for named people alone, and for nobody by chance. */
  readonly isForNamed: boolean
  readonly since: Date
  /** The release that people get when it is taken back. */
  readonly previous: string | undefined
}

interface Suspect extends Watched {
  readonly evidence: Evidence
  readonly previousEvidence: Evidence | undefined
}

const dayMs = 86_400_000

/**
 * Checks a release that a page reported as failed. A canary that fails too often is stopped; a release that became live
 * recently is rolled back. Of several servers that check at the same time only one succeeds.
 */
export async function checkForRollback(
  deps: RollbackDependencies,
  store: ReleaseStore,
  release: MetricsQuery,
): Promise<void> {
  if (!deps.settings.releaseWatch) return
  const registry = await readRegistry(store)
  const suspect = registry && (await findSuspect(deps, store, registry, release))
  if (suspect === undefined) return
  const reason = findRollbackReason(deps.settings, suspect.evidence.all, suspect.previousEvidence?.all)
  const witnesses = reason === undefined ? undefined : await findWitnesses(deps, suspect, release)
  if (witnesses === undefined) {
    if (reason !== undefined && suspect.wasCanary)
      deps.log.warn({ part: release.name, release: release.releaseId, reason }, 'a canary fails for too few to stop it')
    return
  }
  if ((await findKept(store, release)) !== undefined)
    deps.log.error(
      { part: release.name, release: release.releaseId, reason },
      'a release that is kept fails on pages; only a person can take it back',
    )
  else await withdraw(deps, store, release, { ...suspect, by: automatic, reason: `${reason} ${witnesses}` })
}

/** Says who met the same failure, if they are enough people of enough organizations to take it from others. */
async function findWitnesses(
  { db, settings }: RollbackDependencies,
  { isForNamed, evidence, previousEvidence }: Suspect,
  release: MetricsQuery,
): Promise<string | undefined> {
  const affected = await listAffected(db, release)
  const possible = isForNamed ? await countReachedOrganizations(db, release) : await countActiveCustomers(db)
  // A single person, or a single broken computer, cannot take a release from everybody, nor keep it from them; nor can
  // one customer. Only people whom the operator named to try a release are believed by themselves.
  const neededUsers = isForNamed ? 1 : settings.releaseWatchPeople
  const neededOrganizations = Math.max(1, Math.min(settings.releaseWatchOrganizations, possible))
  for (const ids of listAffectedOrganizations(settings, evidence.byOrganization, previousEvidence?.byOrganization)) {
    const organizations = affected.filter(({ id }) => ids.includes(id))
    const users = organizations.reduce((sum, organization) => sum + organization.users, 0)
    if (users >= neededUsers && organizations.length >= neededOrganizations)
      return describeReporters(users, organizations.map(({ name }) => name).join(', '))
  }
  return undefined
}

const describeReporters = (users: number, names: string): string =>
  users === 1 ? `Reported by 1 person of ${names}.` : `Reported by ${users} people of ${names}.`

/** Returns the figures of a watched release beside those of the release that it replaced; undefined if not watched. */
async function findSuspect(
  { db, settings }: RollbackDependencies,
  store: ReleaseStore,
  registry: Registry,
  release: MetricsQuery,
): Promise<Suspect | undefined> {
  const watched = await findWatched(settings, store, registry, release)
  if (watched === undefined) return undefined
  const { wasCanary, since, previous } = watched
  const evidence = await getEvidence(db, release, since)
  if (previous === undefined) return { ...watched, evidence, previousEvidence: undefined }
  // Beside a canary the live release goes on; what a live release replaced is at its end.
  const [from, to] = wasCanary ? [new Date(Date.now() - dayMs)] : [new Date(since.getTime() - dayMs), since]
  const previousEvidence = await getEvidence(db, { ...release, releaseId: previous }, from, to)
  return { ...watched, evidence, previousEvidence }
}

/** Undefined for a release that nothing takes back by itself: it is not live, or was live for long, or came back. */
export async function findWatched(
  settings: RollbackDependencies['settings'],
  store: ReleaseStore,
  { live, canaries = [], history }: Registry,
  release: MetricsQuery,
): Promise<Watched | undefined> {
  const { name, releaseId } = release
  const liveRelease = listReleaseRefs(await readSnapshot(store, live)).find((ref) => ref.name === name)
  const canary = canaries.find((other) => other.name === name && other.releaseId === releaseId)
  if (canary) {
    const since = new Date(findCanaryStart(history, release)?.at ?? 0)
    return { wasCanary: true, isForNamed: canary.percent === 0, since, previous: liveRelease?.releaseId }
  }
  if (liveRelease?.releaseId !== releaseId || liveRelease.previous === undefined) return undefined
  const activation = await findActivation(store, { history }, name)
  if (activation === undefined || activation.change === 'rollback') return undefined
  const since = new Date(activation.at)
  if (Date.now() - since.getTime() > settings.releaseWatchMinutes * 60_000) return undefined
  return { wasCanary: false, isForNamed: false, since, previous: liveRelease.previous }
}

interface Withdrawal {
  readonly wasCanary: boolean
  /** `automatic`, or a monitor. */
  readonly by: string
  readonly reason: string
  /** The machine that asked for it. */
  readonly context?: WriteContext
}

/** Stops a canary, or rolls back a live release. Returns whether it did: somebody may have been faster. */
export async function withdraw(
  { write, mail, log }: RollbackDependencies,
  store: ReleaseStore,
  { name, releaseId }: MetricsQuery,
  { wasCanary, by, reason, context = { request: { id: automatic, ip: '' } } }: Withdrawal,
): Promise<boolean> {
  const event: AuditEvent = wasCanary ? 'CanaryStopped' : 'ReleaseRolledBack'
  try {
    // The registry moves last and before the commit, so that no move stays without a record.
    await write(context, async ({ trx, audit, afterwards }) => {
      await tellSuperAdministrators({ mail }, trx, (admin) =>
        withdrawalMail(admin, { part: name, releaseId, wasCanary, by, reason }),
      )
      await audit({ event, subject: { part: name, releaseId, by, reason } })
      const author = { by, reason, from: releaseId }
      await (wasCanary ? stopCanary(store, name, author) : rollback(store, { ...author, part: name }))
      afterwards(mail.deliver)
    })
    log.error(
      { part: name, release: releaseId, reason },
      wasCanary ? 'a canary was stopped automatically' : 'a release was rolled back automatically',
    )
    return true
  } catch (error) {
    // Another server or a person moved the registry first.
    if (error instanceof Superseded || error instanceof RegistryConflict) return false
    if (!(error instanceof ReleaseRefused || error instanceof StoreError)) throw error
    log.error(
      { part: name, release: releaseId, reason, problem: error.message },
      'a failing release could not be rolled back automatically',
    )
    return false
  }
}
