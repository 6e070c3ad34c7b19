import type { Release, ReleaseFile } from '@dmp/contract/release'
import { readAsPublished, type FileForm } from '@dmp/release/store/releaseFiles'
import { StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { LRUCache } from 'lru-cache'
import { findCurrentTurn } from '../core/asker.ts'
import { FairTurns } from '../core/fairTurns.ts'

/** The live releases are some 4 MB as browsers get them. */
const mostBytes = 64 * 2 ** 20
/** A page asks for some forty files; equal ones of other pages are joined. */
const reading = { atOnce: 4, perCustomer: 2, perPerson: 2, waitingPerPerson: 256, waitingInAll: 4096 } as const

interface Wanted {
  readonly release: Release
  readonly file: ReleaseFile
  readonly form: FileForm
}

/** Throws `StoreError` for a file that is not as it was published. */
export type ReadPublishedFile = (wanted: Wanted) => Promise<Buffer>

/**
 * Reads files of releases and remembers them. Each is compared with the hash in its release's document before it goes
 * out, because browsers compare only what pages name with a hash: workers and WebAssembly are run as they come.
 */
export function createPublishedFiles(store: ReleaseStore): ReadPublishedFile {
  const turns = new FairTurns(reading)
  const files = new LRUCache<string, Buffer, Wanted>({
    maxSize: mostBytes,
    sizeCalculation: (content) => Math.max(1, content.length),
    fetchMethod: (_key, _before, { context }) => turns.run(findCurrentTurn(), () => readOne(store, context)),
  })
  return async (wanted) => {
    const { release, file, form } = wanted
    const content = await files.fetch(`${release.name}/${release.releaseId}/${file.path}${form}`, { context: wanted })
    if (content === undefined) throw new StoreError(`${file.path} of ${release.name} could not be read.`)
    return content
  }
}

async function readOne(store: ReleaseStore, { release, file, form }: Wanted): Promise<Buffer> {
  const content = await readAsPublished(store, release, file, form)
  if (typeof content !== 'string') return content
  const { name, releaseId } = release
  throw new StoreError(
    `${content} It differs from release ${releaseId} of ${name} as it was published (${store.location}/${name}/${releaseId}), so it is not sent. Publish ${name} again, and find out who writes to the store.`,
  )
}
