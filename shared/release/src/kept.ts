import { Kept, type ReleaseRef } from '@dmp/contract/release'
import * as v from 'valibot'
import type { Author } from './move.ts'
import type { ReleaseStore } from './store/ReleaseStore.ts'

// A document of its own: servers of the version before refuse a registry with a field that they do not know.
const keptKey = ({ name, releaseId }: Pick<ReleaseRef, 'name' | 'releaseId'>): string =>
  `kept/${name}.${releaseId}.json`

/** Marks a release: no server withdraws it by itself. People can still take it back. */
export async function keepRelease(
  store: ReleaseStore,
  release: Pick<ReleaseRef, 'name' | 'releaseId'>,
  { by, reason }: Author,
): Promise<void> {
  const kept: Kept = { by, at: new Date().toISOString(), ...(reason === undefined ? {} : { reason }) }
  await store.add(keptKey(release), Buffer.from(JSON.stringify(kept)))
}

/** Takes the mark away. */
export const endKeeping = (store: ReleaseStore, release: Pick<ReleaseRef, 'name' | 'releaseId'>): Promise<void> =>
  store.remove(keptKey(release))

/** Who marked the release and why; undefined where nobody did. */
export async function findKept(
  store: ReleaseStore,
  release: Pick<ReleaseRef, 'name' | 'releaseId'>,
): Promise<Kept | undefined> {
  const content = await store.read(keptKey(release))
  return content && v.parse(Kept, JSON.parse(content.toString('utf8')))
}
