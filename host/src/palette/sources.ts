import type { Policy } from '@dmp/contract/endpoint'
import type { RemoteOnPage } from '@dmp/contract/release'
import { isFor, type PaletteSearch } from '@dmp/contract/remote'
import type { Search } from '@dmp/kit'
import { dataWord } from '@dmp/kit/language'
import { noteEnd } from '../remotes/beginnings.ts'
import { forgetRemote, loadRemote } from '../remotes/loadRemote.ts'
import { RemoteError } from '../remotes/RemoteError.ts'

/** A search that a remote of this page declares. */
export interface Source {
  readonly id: string
  readonly title: string
  readonly needs: PaletteSearch['needs']
  /** The part and its release, for reports. */
  readonly part: string
  readonly load: () => Promise<Search>
  /** Makes the next `load` try again. */
  readonly forget: () => void
}

/** The searches for this policy, in order. The code of the others is not even loaded. */
export function listSources(remotes: readonly RemoteOnPage[], policy: Policy): readonly Source[] {
  return remotes
    .filter(({ guest }) => guest === undefined)
    .flatMap((remote) => (remote.declaration.searches ?? []).map((search) => ({ remote, search })))
    .filter(({ search }) => isFor(policy, search.needs))
    .toSorted((a, b) => a.search.order - b.search.order)
    .map(({ remote, search }) => toSource(remote, search))
}

function toSource(remote: RemoteOnPage, { name, title, needs }: PaletteSearch): Source {
  const { declaration, releaseId, entry } = remote
  return {
    id: `${declaration.name} ${name}`,
    title: dataWord(title),
    needs,
    part: `${declaration.name}@${releaseId}`,
    load: async () => {
      const search = (await loadRemote(remote, './search'))[name]
      noteEnd(declaration.name, './search')
      if (typeof search !== 'function')
        throw new RemoteError('module', { remote: declaration.name, release: releaseId, url: entry })
      return search
    },
    forget: () => forgetRemote(remote, './search'),
  }
}
