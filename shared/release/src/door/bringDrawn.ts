import type { Release } from '@dmp/contract/release'
import * as calls from '@dmp/contract/releaseCalls'
import { listDrawnAddresses, toDrawnEnvelope } from '../drawn/drawnDocument.ts'
import { drawPages } from '../drawn/drawPages.ts'
import type { Signer } from '../signing/keyPair.ts'
import { releaseKey, type ReleaseStore } from '../store/ReleaseStore.ts'
import type { Door } from './doorClient.ts'

const patienceMs = 30_000

/** What a team has of a release after bringing it. */
interface Brought {
  readonly release: Release
  readonly contents: ReadonlyMap<string, Buffer>
  readonly signer?: Signer | undefined
}

/**
 * Draws the public pages of a part on this machine, with the files of the deployment's live host, and brings them. No
 * release fails for it: without them, pages come with their code.
 */
export async function bringDrawn(door: Door, { release, contents, signer }: Brought): Promise<void> {
  if (listDrawnAddresses(release).length === 0) return
  const { name: part, releaseId } = release
  try {
    const host = await door.ask(calls.getHost, { part })
    const store = openPair(door, host, { release, contents })
    const [drawn] = await drawPages(store, [host, release], { only: part, log: console.warn })
    if (drawn === undefined) return
    await door.ask(calls.addDrawn, { part, releaseId, envelope: toDrawnEnvelope(drawn, signer).toString('utf8') })
  } catch (error) {
    // A deployment of an earlier version takes none.
    console.warn(`Public pages come with their code: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A store of the two: the release from here, the host's files from where pages get them. */
function openPair({ address }: Door, host: Release, { release, contents }: Omit<Brought, 'signer'>): ReleaseStore {
  const keyOf = (of: Release, file: string): string => releaseKey(of.name, of.releaseId, file)
  const here = new Map([...contents].map(([file, content]) => [keyOf(release, file), content]))
  for (const one of [host, release]) here.set(keyOf(one, 'release.json'), Buffer.from(JSON.stringify(one)))
  const there = new Set(host.files.map(({ path }) => keyOf(host, path)))
  return {
    location: address,
    read: async (key) =>
      here.get(key) ?? (there.has(key) ? fetchFile(new URL(`/releases/${key}`, address)) : undefined),
    stream: async () => undefined,
    add: async (key, content) => Boolean(here.set(key, Buffer.from(content))),
    list: async () => [],
    remove: async (key) => void here.delete(key),
  }
}

async function fetchFile(url: URL): Promise<Buffer | undefined> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
  return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined
}
