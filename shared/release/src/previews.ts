import { randomBytes } from 'node:crypto'
import { limits } from '@dmp/contract/limits'
import { PreviewId, previewParameter } from '@dmp/contract/override'
import type { Release } from '@dmp/contract/release'
import type { Preview } from '@dmp/contract/releasePreview'
import { PartName, ReleaseId } from '@dmp/contract/remote'
import * as v from 'valibot'
import { RegistryConflict, StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

const text = v.string('Must be text.')

/** A preview as it lies in the store, below `previews/<part>/`. */
const StoredPreview = v.object({
  id: PreviewId,
  part: PartName,
  releaseId: ReleaseId,
  change: v.optional(text),
  path: text,
  by: text,
  at: text,
  ends: text,
  /** Email addresses of those who may open it, besides super administrators. */
  users: v.array(text, 'users is a list.'),
  /** Who made it, and with whose right it ends; absent where the store's own keys did. */
  maker: v.optional(
    v.variant('is', [v.object({ is: v.literal('token'), id: text }), v.object({ is: v.literal('person'), id: text })]),
  ),
})
export type StoredPreview = v.InferOutput<typeof StoredPreview>

const previewKey = (part: string, id: string): string => `previews/${part}/${id}.json`
const dayMs = 86_400_000

interface NewPreview extends Pick<StoredPreview, 'by' | 'users' | 'change' | 'maker'> {
  readonly days: number
  /** When it ends at the latest, in milliseconds since the epoch: its maker's right may end earlier. */
  readonly latest?: number
}

/**
 * Adds a preview of a stored release. One of the same change gives it its address and goes, so that what stands in a
 * merge request stays good.
 *
 * @throws StoreError for one too many
 */
export async function addPreview(
  store: ReleaseStore,
  release: Pick<Release, 'name' | 'releaseId' | 'declaration'>,
  { days, latest = Infinity, ...made }: NewPreview,
  now = Date.now(),
): Promise<StoredPreview> {
  const { name: part, releaseId } = release
  const others = await listPreviews(store, part, now)
  const before = made.change === undefined ? undefined : others.find(({ change }) => change === made.change)
  if (before === undefined && others.length >= limits.previewsPerPart)
    throw new StoreError(
      `${part} has ${others.length} previews, as many as a part may have. End some: npm run release -- preview ${part} --end`,
    )
  const id = before?.id ?? randomBytes(16).toString('hex')
  const preview: StoredPreview = {
    ...made,
    id,
    part,
    releaseId,
    path: toPath(release, id),
    at: new Date(now).toISOString(),
    ends: new Date(Math.min(now + days * dayMs, latest)).toISOString(),
  }
  if (before) await store.remove(previewKey(part, id))
  if (!(await store.add(previewKey(part, id), Buffer.from(JSON.stringify(preview)))))
    throw new RegistryConflict(`Another preview of this change of ${part} came first. Try again.`)
  return preview
}

/** The first address of the part that people who are signed in have. */
function toPath({ name, declaration }: Pick<Release, 'name' | 'declaration'>, id: string): string {
  const route = declaration?.routes.find(({ guard }) => guard !== 'guest')
  return `${route?.prefix ?? '/dashboard'}?${previewParameter}=${name}.${id}`
}

/** A preview that has not ended; undefined where there is none. Whoever asks is not judged here. */
export async function findPreview(
  store: ReleaseStore,
  part: string,
  id: string,
  now = Date.now(),
): Promise<StoredPreview | undefined> {
  if (!v.is(PartName, part) || !v.is(PreviewId, id)) return undefined
  const content = await store.read(previewKey(part, id))
  const { success, output } = v.safeParse(v.pipe(text, v.parseJson(), StoredPreview), content?.toString('utf8'))
  return success && output.id === id && output.part === part && Date.parse(output.ends) > now ? output : undefined
}

/** The previews of a part that have not ended, the newest first. */
export async function listPreviews(store: ReleaseStore, part: string, now = Date.now()): Promise<StoredPreview[]> {
  const names = await store.list(`previews/${part}`)
  const previews = await Promise.all(names.map((name) => findPreview(store, part, name.replace('.json', ''), now)))
  return previews.filter((preview) => preview !== undefined).sort((a, b) => b.at.localeCompare(a.at))
}

/** The same of every part. */
export async function listAllPreviews(store: ReleaseStore, now = Date.now()): Promise<StoredPreview[]> {
  const parts = (await store.list('previews')).filter((part) => v.is(PartName, part))
  return (await Promise.all(parts.map((part) => listPreviews(store, part, now)))).flat()
}

/** Ends previews of a part: the one that is named by its id or change, or all. Returns those that it ended. */
export async function endPreviews(
  store: ReleaseStore,
  part: string,
  { id, change, releaseId }: Partial<Record<'id' | 'change' | 'releaseId', string | undefined>> = {},
): Promise<StoredPreview[]> {
  const ended = (await listPreviews(store, part)).filter(
    (preview) =>
      (id === undefined || preview.id === id) &&
      (change === undefined || preview.change === change) &&
      (releaseId === undefined || preview.releaseId === releaseId),
  )
  for (const preview of ended) await store.remove(previewKey(part, preview.id))
  return ended
}

/** Removes what is left of previews that have ended by themselves. */
export async function removeEndedPreviews(store: ReleaseStore, now: number): Promise<void> {
  for (const part of (await store.list('previews')).filter((name) => v.is(PartName, name)))
    for (const name of await store.list(`previews/${part}`))
      if (/^[0-9a-f]{32}\.json$/.test(name) && !(await findPreview(store, part, name.slice(0, 32), now)))
        await store.remove(`previews/${part}/${name}`)
}

/** As the contract says it. */
export const toPreview = ({ maker: _maker, at, ends, change, ...rest }: StoredPreview): Preview => ({
  ...rest,
  change: change ?? null,
  madeDate: at,
  endsDate: ends,
})
