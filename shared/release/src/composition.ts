import { nameWithoutHash } from '@dmp/contract/fileNames'
import type { PageSnapshot, Release, ReleaseRef, RemoteSource, Snapshot } from '@dmp/contract/release'
import { isGuest, isOpenToGuests } from '@dmp/contract/guest'
import { gte } from 'semver'
import { readCalls } from './preflight/calls.ts'
import { findUnmetNeeds } from './preflight/compatibility.ts'
import { readTrustedRelease } from './signing/signatures.ts'
import { readDrawn, type DrawnPages } from './drawn/drawnDocument.ts'
import { readSmallStyles } from './smallStyles.ts'
import { findSince, readSince, type Since } from './since.ts'
import {
  hasRelease,
  readSnapshot,
  snapshotId,
  StoreError,
  unlessDamaged,
  type ReleaseStore,
} from './store/ReleaseStore.ts'

/** URL path of a file of a release. It contains the release id, so its content never changes. */
export const releaseUrl = (part: string, releaseId: string, file: string): string =>
  `/releases/${part}/${releaseId}/${file}`

/** The snapshot as one page gets it, with the releases that it names. */
export interface Composition {
  readonly snapshot: Snapshot
  readonly host: Release
  /** By part. */
  readonly remotes: ReadonlyMap<string, Release>
  readonly viewer: Release | undefined
  /** By part: files that have their address from an earlier release. */
  readonly since: ReadonlyMap<string, Since>
  /** By `<part>/<file>`: styles that pages carry themselves. */
  readonly styles: ReadonlyMap<string, string>
  /** By part: its public pages as markup, where they were drawn with this host. */
  readonly drawn: ReadonlyMap<string, DrawnPages>
  /** The snapshot as the page carries it. */
  readonly page: PageSnapshot
  /** The hashes of what each release says in other languages: by `<part>/<release>`, then by language. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Composes a stored snapshot from the documents of its releases. */
export const compose = async (store: ReleaseStore, id: string): Promise<Composition> =>
  composeSnapshot(store, await readSnapshot(store, id), id)

/** Composes any snapshot, whether or not it is in the store. */
export async function composeSnapshot(
  store: ReleaseStore,
  snapshot: Snapshot,
  id = snapshotId(snapshot),
): Promise<Composition> {
  const readingHost = readTrustedRelease(store, 'host', snapshot.host.releaseId)
  const [host, viewer, ...remotes] = await Promise.all([
    readingHost,
    snapshot.viewer && readTrustedRelease(store, 'viewer', snapshot.viewer.releaseId),
    ...snapshot.remotes.map(async (ref) => ({
      release: await readTrustedRelease(store, ref.name, ref.releaseId),
      previous: await findPrevious(store, ref, readingHost),
      guest: await findGuest(store, ref, snapshot),
    })),
  ])
  // A host that knows no guests would run it in the page: there it is as if it were not live.
  const shown = remotes.filter(({ guest }) => guest === undefined || knowsGuests(host))
  const inPage = [host, ...shown.flatMap(({ release, guest }) => (guest ? [] : [release]))]
  const [since, styles, drawn] = await Promise.all([
    findAddresses(store, host, inPage),
    readSmallStyles(store, inPage),
    Promise.all(inPage.map(async (part) => [part.name, await readDrawn(store, part, host.releaseId)] as const)),
  ])
  const page: PageSnapshot = {
    id,
    host: snapshot.host.releaseId,
    remotes: shown.map(({ release, previous, guest }) => {
      if (release.declaration === undefined)
        throw new StoreError(
          `Release ${release.releaseId} of ${release.name} has no declaration. Build and publish it again.`,
        )
      // The server makes the first calls into a script; who lends what is judged before anything is live.
      const { firstCalls: _, lends: __, ...declaration } = release.declaration
      return {
        ...toSource(release),
        declaration,
        ...(previous && !guest ? { previous: toSource(previous) } : {}),
        ...(guest ? { guest } : {}),
      }
    }),
    ...(since.size > 0 && { since: nameSince(since) }),
  }
  const loaded = remotes.flatMap(({ release, previous }) => (previous ? [release, previous] : [release]))
  return {
    snapshot,
    host,
    remotes: new Map(remotes.map(({ release }) => [release.name, release])),
    viewer,
    since,
    styles,
    drawn: new Map(drawn),
    page,
    texts: Object.fromEntries([host, ...loaded].map((of) => [`${of.name}/${of.releaseId}`, listTexts(of)])),
  }
}

async function findAddresses(
  store: ReleaseStore,
  host: Release,
  inPage: readonly Release[],
): Promise<ReadonlyMap<string, Since>> {
  if (!knowsSince(host)) return new Map()
  const found = await Promise.all(
    inPage.map(async (release) => [release.name, await checkSince(store, release)] as const),
  )
  return new Map(found.filter(([, since]) => since.size > 0))
}

/** Only files that an earlier release vouches for as this one does, and that is to be trusted as this one is. */
async function checkSince(store: ReleaseStore, release: Release): Promise<Since> {
  const since = findSince(release, await readSince(store, release.name))
  const earlier = new Map(
    await Promise.all(
      [...new Set(since.values())].map(async (id) => {
        const files = await readTrustedRelease(store, release.name, id).then(({ files }) => files, unlessDamaged)
        return [id, new Map(files?.map(({ path, integrity }) => [path, integrity]))] as const
      }),
    ),
  )
  return new Map([...since].filter(([path, id]) => earlier.get(id)?.get(path) === getIntegrity(release, path)))
}

/** Hosts that know earlier addresses have their packages in a script of its own; older ones would load files twice. */
const knowsSince = ({ initial }: Release): boolean => initial.some((file) => file.startsWith('libraries.'))

/** For scripts and styles that come later, and for texts: their names without hash, by the release to get them from. */
function nameSince(since: ReadonlyMap<string, Since>): NonNullable<PageSnapshot['since']> {
  return Object.fromEntries(
    [...since].map(([part, files]) => {
      const byRelease = Map.groupBy(files, ([, releaseId]) => releaseId)
      return [
        part,
        Object.fromEntries([...byRelease].map(([id, of]) => [id, of.map(([path]) => nameWithoutHash(path))])),
      ] as const
    }),
  )
}

/** The contract that brought guests. */
const knowsGuests = ({ provides }: Release): boolean => gte(provides['@dmp/contract'] ?? '0.0.0', '1.12.0')

/** Undefined for a part that runs in the page. What does not say which calls it makes may make none. */
async function findGuest(
  store: ReleaseStore,
  { name, releaseId }: ReleaseRef,
  { guests }: Snapshot,
): Promise<{ calls: string[] } | undefined> {
  const release = await readTrustedRelease(store, name, releaseId)
  if (!isGuest({ name, trust: release.declaration?.trust }, guests)) return undefined
  const calls = await readCalls(store, release)
  return { calls: calls === undefined || calls === 'unreadable' ? [] : Object.keys(calls).filter(isOpenToGuests) }
}

async function findPrevious(
  store: ReleaseStore,
  { name, previous }: ReleaseRef,
  readingHost: Promise<Release>,
): Promise<Release | undefined> {
  if (previous === undefined || !(await hasRelease(store, name, previous))) return undefined
  // A release that was damaged or altered, or that no key of its part vouches for, is none to fall back to; what is
  // live does not suffer from it.
  const release = await readTrustedRelease(store, name, previous).catch(unlessDamaged)
  // One of before the host had another React would not start there.
  return release && findUnmetNeeds(await readingHost, release).length === 0 ? release : undefined
}

/** Where a page gets a release from. */
export function toSource(release: Release): RemoteSource {
  const languages = Object.keys(listTexts(release))
  return {
    releaseId: release.releaseId,
    entry: releaseUrl(release.name, release.releaseId, release.entry),
    integrity: getIntegrity(release, release.entry),
    ...(languages.length > 0 ? { languages } : {}),
  }
}

/** The hashes of the catalogues of a release, by language. */
const listTexts = ({ files }: Release): Record<string, string> =>
  Object.fromEntries(
    files.flatMap(({ path, integrity }) => {
      const language = /^texts\/([A-Za-z-]+)\.json$/.exec(path)?.[1]
      return language === undefined ? [] : [[language, integrity]]
    }),
  )

/** The hash of one of a release's files, from the release's document. */
export function getIntegrity(release: Release, file: string): string {
  const releaseFile = release.files.find(({ path }) => path === file)
  if (releaseFile === undefined)
    throw new StoreError(`Release ${release.releaseId} of ${release.name} has no file ${file}.`)
  return releaseFile.integrity
}
