import type { Release } from '@dmp/contract/release'
import type { Judgement } from '@dmp/contract/releaseDoor'
import type { PreviewReport } from '@dmp/contract/releasePreview'
import { listReleaseRefs } from './move.ts'
import { measureWeight } from './preflight/budgets.ts'
import { readCalls } from './preflight/calls.ts'
import { toPreview, type StoredPreview } from './previews.ts'
import { readRegistry, readRelease, readSnapshot, unlessDamaged, type ReleaseStore } from './store/ReleaseStore.ts'

/** A preview beside what is live of its part now. */
export async function createPreviewReport(
  store: ReleaseStore,
  preview: StoredPreview,
  findings: readonly Judgement[],
): Promise<PreviewReport> {
  const { part, releaseId } = preview
  const release = await readRelease(store, part, releaseId)
  const live = await readLiveRelease(store, part)
  return {
    ...toPreview(preview),
    title: release.declaration?.title ?? part,
    version: release.declaration?.version ?? '',
    commit: release.commit,
    findings: [...findings],
    weight: weigh(release),
    live: live ? { releaseId: live.releaseId, version: live.declaration?.version ?? '', weight: weigh(live) } : null,
    needs: Object.entries(release.consumes).map(([module, range]) => ({ module, range })),
    calls: await compareCalls(store, release, live),
  }
}

const weigh = (release: Release): PreviewReport['weight'] => ({
  ...measureWeight(release),
  all: release.files.reduce((sum, { brotli }) => sum + brotli, 0),
})

/** What is live of a part; undefined where nothing is, or where it cannot be read. */
async function readLiveRelease(store: ReleaseStore, part: string): Promise<Release | undefined> {
  const registry = await readRegistry(store)
  const refs = registry ? listReleaseRefs(await readSnapshot(store, registry.live)) : []
  const ref = refs.find(({ name }) => name === part)
  if (ref === undefined) return undefined
  return readRelease(store, part, ref.releaseId).catch(unlessDamaged)
}

async function compareCalls(
  store: ReleaseStore,
  release: Release,
  live: Release | undefined,
): Promise<PreviewReport['calls']> {
  const made = await readCalls(store, release)
  if (made === undefined || made === 'unreadable') return null
  const liveCalls = live && (await readCalls(store, live))
  const known = typeof liveCalls === 'object' ? liveCalls : {}
  const names = Object.keys(made)
  return { count: names.length, added: names.filter((name) => !Object.hasOwn(known, name)).sort() }
}
