import type { Canary, Registry, RegistryMove, Release, Snapshot } from '@dmp/contract/release'
import type { ReleaseStatus, ShownMove, ShownPart, ShownRelease } from '@dmp/contract/releaseCalls'
import { partsOf } from '@dmp/release/move'
import { canarySince, liveSince } from '@dmp/release/since'
import { readRegistry, readRelease, readSnapshot, StoreError, type Store } from '@dmp/release/store'
import type { Db } from '../../db/client.ts'
import { getMetrics } from './metrics.ts'
import type { RollbackRules } from './rollbackPolicy.ts'

const dayMs = 86_400_000

/** What is live and what is a canary, with what pages told of each in the last day. */
export async function getStatus(db: Db, store: Store, rules: RollbackRules): Promise<ReleaseStatus> {
  const { registry, live } = await liveOf(store)
  const { version, canaries = [], history } = registry
  const earlier = await earlierSnapshots(store, registry)
  const shown = async (release: Release, since: RegistryMove | undefined): Promise<ShownRelease> => ({
    releaseId: release.releaseId,
    version: versionOf(release),
    commit: release.commit,
    publishedAt: release.publishedAt,
    brotliBytes: release.files.reduce((sum, { brotli }) => sum + brotli, 0),
    since: since?.at ?? null,
    by: since?.by ?? null,
    figures: await getMetrics(db, release, new Date(Date.now() - dayMs)),
  })
  const part = async ({ name, releaseId }: { name: string; releaseId: string }): Promise<ShownPart> => {
    const release = await readRelease(store, name, releaseId)
    const canary = canaries.find((one) => one.name === name)
    const before = earlier.flatMap(partsOf).find((ref) => ref.name === name && ref.releaseId !== releaseId)
    return {
      name,
      title: release.declaration?.title ?? 'Viewer',
      live: await shown(release, liveSince(history, name)),
      canary: canary
        ? {
            ...(await shown(await readRelease(store, name, canary.releaseId), canarySince(history, canary))),
            ...audienceOf(canary),
          }
        : null,
      before: before
        ? { releaseId: before.releaseId, version: versionOf(await readRelease(store, name, before.releaseId)) }
        : null,
    }
  }
  const [host, ...others] = partsOf(live)
  const parts = await Promise.all(
    [host!, ...others.filter(({ name }) => name === 'viewer'), ...others.filter(({ name }) => name !== 'viewer')].map(
      part,
    ),
  )
  const { releaseWatch, releaseWatchMinutes, releaseWatchPages, releaseWatchPercent, releaseWatchTimes } = rules
  return {
    version,
    parts,
    watch: {
      isOn: releaseWatch,
      minutes: releaseWatchMinutes,
      pages: releaseWatchPages,
      percent: releaseWatchPercent,
      times: releaseWatchTimes,
    },
  }
}

/** Newest first. */
export async function listHistory(store: Store): Promise<ShownMove[]> {
  const { history } = (await liveOf(store)).registry
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

async function liveOf(store: Store): Promise<{ registry: Registry; live: Snapshot }> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live on this server yet.')
  return { registry, live: await readSnapshot(store, registry.live) }
}

/** What was live before, newest first: what a rollback can go back to. */
function earlierSnapshots(store: Store, { live, history }: Registry): Promise<Snapshot[]> {
  const ids = [...new Set(history.map(({ snapshot }) => snapshot))].filter((id) => id !== live)
  return Promise.all(ids.map((id) => readSnapshot(store, id)))
}

const audienceOf = ({ percent, users }: Canary) => ({ percent, users })

const versionOf = ({ declaration }: Release): string => declaration?.version ?? ''
