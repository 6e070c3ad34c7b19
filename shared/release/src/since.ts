import { createHash } from 'node:crypto'
import type { Release, ReleaseFile } from '@dmp/contract/release'
import type { ReleaseStore } from './store/ReleaseStore.ts'

/** By the path of a file: the release of the part that was live with it first. */
export type Since = ReadonlyMap<string, string>

/** The release that had a file first, by the file's hash. */
type Noted = ReadonlyMap<string, string>

/**
 * What pages ask for by an address that can be another release's. Pictures and typefaces come from beside the style
 * that names them, and later scripts from beside the first one, so that stays where its release is.
 */
const listAsked = ({ files, entry }: Release): ReleaseFile[] =>
  files.filter(({ path }) => path !== entry && /\.(?:js|css)$|^texts\//.test(path))

const folderOf = (part: string): string => `since/${part}`
/** A file of another path has another address. */
const hashOf = ({ path, integrity }: Pick<ReleaseFile, 'path' | 'integrity'>): string =>
  createHash('sha256').update(`${path} ${integrity}`).digest('hex').slice(0, 32)

/**
 * Notes what a release had before any other of its part: `since/<part>/<hash of the file>.<releaseId>`. Called before
 * another takes its place, so that pages of that one ask for what did not change where browsers have it from. Only of
 * what was live: that stays good when a key is revoked.
 */
export async function noteSince(store: ReleaseStore, release: Release): Promise<void> {
  const known = await readSince(store, release.name)
  const added = listAsked(release).filter((file) => !known.has(hashOf(file)))
  for (let next = added.splice(0, atOnce); next.length > 0; next = added.splice(0, atOnce))
    await Promise.all(next.map((file) => store.add(keyOf(release, file), empty)))
}

const atOnce = 16
const empty = Buffer.from('{}')
const keyOf = ({ name, releaseId }: Pick<Release, 'name' | 'releaseId'>, file: ReleaseFile): string =>
  `${folderOf(name)}/${hashOf(file)}.${releaseId}`

/**
 * Which files of a release an earlier one was live with. What is noted is only where to look: whoever uses it compares
 * the file with the one that the earlier release's own document has.
 */
export function findSince(release: Release, noted: Noted): Since {
  return new Map(
    listAsked(release).flatMap((file) => {
      const first = noted.get(hashOf(file))
      return first === undefined || first === release.releaseId ? [] : [[file.path, first] as const]
    }),
  )
}

/** For a release that leaves the store. */
export async function forgetSince(store: ReleaseStore, { name, releaseId }: Pick<Release, 'name' | 'releaseId'>) {
  for (const noted of await store.list(folderOf(name)))
    if (noted.endsWith(`.${releaseId}`)) await store.remove(`${folderOf(name)}/${noted}`)
}

/** What is noted of a part. */
export async function readSince(store: ReleaseStore, part: string): Promise<Noted> {
  // Sorted, so that every server takes the same where two were noted in one moment; of equal keys the last counts.
  const names = (await store.list(folderOf(part))).filter((name) => /^[0-9a-f]{32}\.[0-9a-f]{16}$/.test(name)).sort()
  return new Map(names.map((name) => [name.slice(0, 32), name.slice(33)] as const))
}
