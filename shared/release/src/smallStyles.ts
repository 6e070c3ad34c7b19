import type { Release } from '@dmp/contract/release'
import { readAsPublished } from './store/releaseFiles.ts'
import type { ReleaseStore } from './store/ReleaseStore.ts'

/** What compresses to a kilobyte and a half: a page has it sooner than a request for it. */
const mostBytes = 6 * 1024

/**
 * Styles of screens and shared modules that pages carry themselves, by `<part>/<file>`: few bytes each, and every one
 * would be a request. They are compared with their release; one that names another file stays beside that.
 */
export async function readSmallStyles(
  store: ReleaseStore,
  releases: readonly Release[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    releases.flatMap((release) => {
      const named = new Set(Object.values(release.chunks).flat())
      const files = release.files.filter(
        ({ path, bytes }) => named.has(path) && path.endsWith('.css') && bytes <= mostBytes,
      )
      return files.map(async (file) => {
        const content = await readAsPublished(store, release, file, '')
        const text = typeof content === 'string' ? '' : content.toString('utf8')
        // What is not as it was published is left to the browser, which refuses it by its hash.
        return text === '' || /<|@import|url\(/i.test(text) ? [] : [[`${release.name}/${file.path}`, text] as const]
      })
    }),
  )
  return new Map(found.flat())
}
