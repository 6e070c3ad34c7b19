import { isGuest } from '@dmp/contract/guest'
import type { Canary, Registry, RegistryMove, Release, Snapshot } from '@dmp/contract/release'
import type { ReleaseStatus, ShownMove, ShownPart, ShownRelease } from '@dmp/contract/releaseCalls'
import { findKept } from '@dmp/release/kept'
import { listReleaseRefs } from '@dmp/release/move'
import { findCanaryStart, findActivation } from '@dmp/release/moveHistory'
import { readRegistry, readRelease, readSnapshot, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Db } from '../../db/client.ts'
import { getMetrics } from './metrics.ts'
import type { RollbackRules } from './rollbackPolicy.ts'

const dayMs = 86_400_000

/** Returns the live release and the canary of each part, with the reports of the last day. */
export async function getStatus(db: Db, store: ReleaseStore, rules: RollbackRules): Promise<ReleaseStatus> {
  const { registry, live } = await getLive(store)
  const earlierSnapshots = await listEarlierSnapshots(store, registry)
  const [host, ...others] = listReleaseRefs(live)
  const guests = live.guests ?? []
  const isViewer = ({ name }: ReleaseRef) => name === 'viewer'
  const refs = [host!, ...others.filter(isViewer), ...others.filter((ref) => !isViewer(ref))]
  return {
    version: registry.version,
    parts: await Promise.all(refs.map((ref) => toShownPart(db, store, { registry, earlierSnapshots, guests }, ref))),
    watch: {
      isOn: rules.releaseWatch,
      minutes: rules.releaseWatchMinutes,
      pages: rules.releaseWatchPages,
      percent: rules.releaseWatchPercent,
      times: rules.releaseWatchTimes,
      organizations: rules.releaseWatchOrganizations,
    },
  }
}

interface ReleaseRef {
  readonly name: string
  readonly releaseId: string
  readonly previous?: string | undefined
}

async function toShownPart(
  db: Db,
  store: ReleaseStore,
  {
    registry: { canaries = [], history },
    earlierSnapshots,
    guests,
  }: { registry: Registry; earlierSnapshots: readonly Snapshot[]; guests: readonly string[] },
  { name, releaseId, previous }: ReleaseRef,
): Promise<ShownPart> {
  const release = await readRelease(store, name, releaseId)
  const canary = canaries.find((candidate) => candidate.name === name)
  const earlierRelease =
    earlierSnapshots.flatMap(listReleaseRefs).find((ref) => ref.name === name && ref.releaseId !== releaseId) ??
    (previous === undefined ? undefined : { releaseId: previous })
  const activation = await findActivation(store, { history }, name)
  return {
    name,
    title: release.declaration?.title ?? 'Viewer',
    live: await toShownRelease(db, store, release, activation),
    isRolledBack: activation?.change === 'rollback',
    ...(name.startsWith('remote-') ? { isGuest: isGuest({ name, trust: release.declaration?.trust }, guests) } : {}),
    canary: canary
      ? {
          ...(await toShownRelease(
            db,
            store,
            await readRelease(store, name, canary.releaseId),
            findCanaryStart(history, canary),
          )),
          ...toAudience(canary),
        }
      : null,
    before: earlierRelease
      ? {
          releaseId: earlierRelease.releaseId,
          version: versionOf(await readRelease(store, name, earlierRelease.releaseId)),
        }
      : null,
  }
}

async function toShownRelease(
  db: Db,
  store: ReleaseStore,
  release: Release,
  start: RegistryMove | undefined,
): Promise<ShownRelease> {
  const kept = await findKept(store, release)
  return {
    releaseId: release.releaseId,
    version: versionOf(release),
    commit: release.commit,
    publishedAt: release.publishedAt,
    brotliBytes: release.files.reduce((sum, { brotli }) => sum + brotli, 0),
    since: start?.at ?? null,
    by: start?.by ?? null,
    figures: await getMetrics(db, release, new Date(Date.now() - dayMs)),
    ...(kept === undefined ? {} : { kept }),
  }
}

/** Lists the moves, newest first. */
export async function listHistory(store: ReleaseStore): Promise<ShownMove[]> {
  const { history } = (await getLive(store)).registry
  return history.map(({ version, at, change, parts, by, reason, canary }) => ({
    version,
    at,
    change,
    parts,
    by,
    reason: reason ?? null,
    percent: canary?.percent ?? null,
  }))
}

async function getLive(store: ReleaseStore): Promise<{ registry: Registry; live: Snapshot }> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live on this server yet.')
  return { registry, live: await readSnapshot(store, registry.live) }
}

/** Lists the snapshots that a rollback can go back to, newest first. */
function listEarlierSnapshots(store: ReleaseStore, { live, history }: Registry): Promise<Snapshot[]> {
  const ids = [...new Set(history.map(({ snapshot }) => snapshot))].filter((id) => id !== live)
  return Promise.all(ids.map((id) => readSnapshot(store, id)))
}

const toAudience = ({ percent, users }: Canary) => ({ percent, users })

const versionOf = ({ declaration }: Release): string => declaration?.version ?? ''
