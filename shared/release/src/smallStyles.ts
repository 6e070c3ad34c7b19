import type { Release } from '@dmp/contract/release'
import { readAsPublished } from './store/releaseFiles.ts'
import type { ReleaseStore } from './store/ReleaseStore.ts'

/** What compresses to less than three kilobytes: a page has it sooner than a request for it. */
const mostBytes = 12 * 1024
/** Every page begins with the host's. */
const mostBytesOfHost = 48 * 1024

/**
 * Styles that pages carry themselves, by `<part>/<file>`: the first ones of the host, and those of screens and shared
 * modules that are small. Every one would be a request, and nothing is drawn without the first ones. They are compared
 * with their release; one that names another file stays beside that.
 */
export async function readSmallStyles(
  store: ReleaseStore,
  releases: readonly Release[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    releases.flatMap((release) => {
      const later = new Set(Object.values(release.chunks).flat())
      const files = release.files.filter(
        ({ path, bytes }) =>
          path.endsWith('.css') &&
          ((later.has(path) && bytes <= mostBytes) || (release.initial.includes(path) && bytes <= mostBytesOfHost)),
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
