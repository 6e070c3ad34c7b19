import type { PageSnapshot, RemoteOnPage } from '@dmp/contract/release'
import type { Declaration } from '@dmp/contract/remote'
import { forgetSnapshot } from '../remotes/snapshot.ts'

/** Creates a remote of a page's snapshot; `remote-audit` owns `/audit` unless told otherwise. */
export function createRemote(name: string, over: Partial<Declaration> = {}, previous = false): RemoteOnPage {
  const source = (mark: string) => {
    const releaseId = [...`${mark} ${name}`]
      .map((letter) => letter.charCodeAt(0).toString(16))
      .join('')
      .padEnd(16, '0')
      .slice(0, 16)
    return { releaseId, entry: `/releases/${name}/${releaseId}/remoteEntry.js`, integrity: `sha384-${'A'.repeat(64)}` }
  }
  const segment = name.replace('remote-', '')
  const declaration: Declaration = {
    name,
    title: segment[0]!.toUpperCase() + segment.slice(1),
    version: '1.0.0',
    routes: [{ prefix: `/${segment}`, guard: 'policy' }],
    navigation: [],
    cards: [],
    needs: { contract: '^1.0.0', kit: '^1.0.0' },
    ...over,
  }
  return { ...source('now'), declaration, ...(previous ? { previous: source('before') } : {}) }
}

/** Puts a snapshot of these remotes into the page. */
export function placeSnapshot(...remotes: RemoteOnPage[]): void {
  placePage({ remotes })
}

/** Puts a snapshot into the page, for example with overrides. */
export function placePage(over: Partial<PageSnapshot>): void {
  document.getElementById('dmp-snapshot')?.remove()
  const snapshot: PageSnapshot = { id: '0'.repeat(16), host: '1'.repeat(16), remotes: [], ...over }
  document.head.append(
    Object.assign(document.createElement('script'), {
      type: 'application/json',
      id: 'dmp-snapshot',
      textContent: JSON.stringify(snapshot),
    }),
  )
  forgetSnapshot()
}
