import type { Declaration, PaletteSearch } from '@dmp/contract/remote'
import type { Search } from '@dmp/kit'
import { createRemote, placeSnapshot } from './createRemote.ts'
import { fakeScripts, type ScriptOutcome } from './fakeScripts.ts'

interface SearchingRemote extends Partial<Omit<Declaration, 'searches'>> {
  readonly searches: readonly PaletteSearch[]
  /** The functions of its `./search` module, or why it cannot be loaded. */
  readonly module: Readonly<Record<string, Search>> | 'http'
  /** Whether it can be loaded by now. */
  readonly isThere?: () => boolean
}

let count = 0

/** Puts remotes with searches into the page. Returns the addresses of what it loads. */
export function placeSearches(...searching: readonly SearchingRemote[]): readonly string[] {
  const remotes = searching.map(({ module, searches, isThere = () => true, ...over }) => {
    // A page loads a release once.
    const remote = createRemote(`remote-searching${(count += 1)}`, { ...over, searches: [...searches] })
    const outcome: ScriptOutcome =
      module === 'http'
        ? 'http'
        : { global: remote.declaration.name.replaceAll('-', '_'), container: { get: async () => () => module } }
    return { remote, outcome, isThere }
  })
  placeSnapshot(...remotes.map(({ remote }) => remote))
  return fakeScripts((path) => {
    const asked = remotes.find(({ remote }) => path.includes(remote.declaration.name))
    return asked?.isThere() ? asked.outcome : 'http'
  }).asked
}

/** The declaration of a search that every signed-in user may make. */
export const aSearch = (name: string, title: string, over: Partial<PaletteSearch> = {}): PaletteSearch => ({
  name,
  title,
  needs: 'session',
  order: 1,
  ...over,
})
