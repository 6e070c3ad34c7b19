import type { Registry, Snapshot } from '@dmp/contract/release'
import { findKept } from './kept.ts'
import { removeMaps } from './maps.ts'
import { listReleaseRefs } from './move.ts'
import { parseHold } from './holds.ts'
import { listAllPreviews, removeEndedPreviews } from './previews.ts'
import { findSince, forgetSince, readSince } from './since.ts'
import {
  hasRelease,
  readRegistry,
  readRelease,
  readSnapshot,
  registryVersion,
  releaseKey,
  type ReleaseStore,
  unlessDamaged,
} from './store/ReleaseStore.ts'

interface TidyOptions {
  /** How long a release stays after it was published, after nobody could get it any more, and after a page held it. */
  readonly days: number
  readonly now?: number
}

/** A release of a part, as `remote-scan.0123456789abcdef`. */
type Name = string
const toName = (part: string, releaseId: string): Name => `${part}.${releaseId}`
const leavingKey = (name: Name): string => `leaving/${name}.json`

/**
 * Removes releases that nobody can get any more and that no page holds, in two steps: one that nobody can get is
 * marked, and goes only if that is so for as many days without a break. A page that is open tells which snapshot it
 * holds (`holds.ts`), which keeps all releases of that.
 *
 * @returns the releases that were removed
 */
export async function tidy(store: ReleaseStore, { days, now = Date.now() }: TidyOptions): Promise<readonly Name[]> {
  const registry = await readRegistry(store)
  if (registry === undefined) return []
  const oldest = new Date(now - days * 86_400_000).toISOString()
  await removeEndedPreviews(store, now)
  const needed = await listNeeded(store, registry, { oldestDay: oldest.slice(0, 10), now })
  const marked = new Set(await store.list('leaving'))
  const removed: Name[] = []
  const parts = (await store.list('')).filter((part) => /^(?:host|viewer|remote-[a-z0-9-]+)$/.test(part))
  for (const part of parts)
    for (const releaseId of await store.list(part)) {
      const name = toName(part, releaseId)
      if (!/^[0-9a-f]{16}$/.test(releaseId) || !(await hasRelease(store, part, releaseId))) continue
      const isNeeded = needed.has(name) || (await findKept(store, { name: part, releaseId })) !== undefined
      if (isNeeded) {
        if (marked.has(`${name}.json`)) await store.remove(leavingKey(name))
      } else if (await hasLeft(store, name, { oldest, now })) {
        // Somebody may have made it live meanwhile: the next round sees that.
        if ((await registryVersion(store)) !== registry.version) return removed
        if (await removeRelease(store, part, releaseId, oldest)) removed.push(name)
      }
    }
  return removed
}

/**
 * Every release that some page has or can get: live, canaries, previews, what the history leads back to, and what pages
 * hold.
 */
async function listNeeded(
  store: ReleaseStore,
  registry: Registry,
  { oldestDay, now }: { readonly oldestDay: string; readonly now: number },
): Promise<ReadonlySet<Name>> {
  const holds = (await store.list('held')).flatMap((name) => parseHold(name) ?? [])
  for (const { day, key } of holds) if (day < oldestDay) await store.remove(key)
  const held = holds.filter(({ day }) => day >= oldestDay).map(({ snapshot }) => snapshot)
  const ids = new Set([registry.live, ...registry.history.map(({ snapshot }) => snapshot), ...held])
  const snapshots = await Promise.all([...ids].map((id) => readSnapshotIfThere(store, id)))
  const refs = snapshots.flatMap((snapshot) => (snapshot === undefined ? [] : listReleaseRefs(snapshot)))
  const canaries = [...(registry.canaries ?? []), ...registry.history.flatMap(({ canary }) => canary ?? [])]
  return withFirst(store, [
    ...refs.flatMap(({ name, releaseId, previous }) =>
      previous === undefined ? [toName(name, releaseId)] : [toName(name, releaseId), toName(name, previous)],
    ),
    ...canaries.map(({ name, releaseId }) => toName(name, releaseId)),
    ...(await listAllPreviews(store, now)).map(({ part, releaseId }) => toName(part, releaseId)),
  ])
}

/** Also those whose files the pages of these name, because they were live with them first. */
async function withFirst(store: ReleaseStore, names: readonly Name[]): Promise<ReadonlySet<Name>> {
  const needed = new Set(names)
  for (const [part, ofPart] of Map.groupBy(new Set(names), (name) => name.split('.', 1)[0] ?? '')) {
    const noted = await readSince(store, part)
    for (const name of ofPart) {
      const release = await readRelease(store, part, name.slice(part.length + 1)).catch(unlessDamaged)
      if (release) for (const first of findSince(release, noted).values()) needed.add(toName(part, first))
    }
  }
  return needed
}

const readSnapshotIfThere = (store: ReleaseStore, id: string): Promise<Snapshot | undefined> =>
  readSnapshot(store, id).catch(unlessDamaged)

/** Whether the release was marked long enough ago; marks it where it was not. */
async function hasLeft(
  store: ReleaseStore,
  name: Name,
  { oldest, now }: { readonly oldest: string; readonly now: number },
): Promise<boolean> {
  const mark = await store.read(leavingKey(name))
  if (mark !== undefined) return (JSON.parse(mark.toString('utf8')) as { at: string }).at < oldest
  await store.add(leavingKey(name), Buffer.from(JSON.stringify({ at: new Date(now).toISOString() })))
  return false
}

/** Its document first, without which nothing of it is served or taken for whole. */
async function removeRelease(store: ReleaseStore, part: string, releaseId: string, oldest: string): Promise<boolean> {
  const { files, publishedAt } = await readRelease(store, part, releaseId)
  if (publishedAt >= oldest) return false
  await store.remove(releaseKey(part, releaseId, 'release.json'))
  const paths = files.map(({ path }) => path)
  // A folder, as that of the texts, is no file of its own.
  const beside = (await store.list(`${part}/${releaseId}`)).filter(
    (name) => !paths.some((of) => of.startsWith(`${name}/`)),
  )
  for (const file of new Set([...paths, ...beside]))
    for (const form of ['', '.br', '.gz']) await store.remove(releaseKey(part, releaseId, `${file}${form}`))
  await removeMaps(store, { name: part, releaseId })
  await forgetSince(store, { name: part, releaseId })
  await store.remove(leavingKey(toName(part, releaseId)))
  return true
}
