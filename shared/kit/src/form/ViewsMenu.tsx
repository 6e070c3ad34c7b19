import { useState } from 'react'
import * as scan from '@dmp/contract/scan'
import type { ScanFilter, ViewPlace } from '@dmp/contract/scan'
import { useLookup } from '@dmp/kit'
import { useLocation, useNavigate, useSearchParams } from '@dmp/kit/router'
import { MenuButton } from '@dmp/kit/ui'
import { ManageViewsModal } from './ManageViewsModal.tsx'
import { SaveViewModal } from './SaveViewModal.tsx'

const none: readonly ScanFilter[] = []

/** Of an address, what belongs to the moment and not to a view: how many rows fit on a page, and which page it is. */
const ofMoment = ['page', 'pageSize', 'view']
const keep = (params: URLSearchParams): [string, string][] =>
  [...params].filter(([key, value]) => !ofMoment.includes(key) && value !== '')

/** The same for two addresses that show the same. */
const toKey = (query: string): string => JSON.stringify(keep(new URLSearchParams(query)).map(String).toSorted())

/**
 * A table without any of its own words in the address shows what it did when its last row was opened. The id of the
 * view says that one was chosen, so that its name is asked for; the worklist writes its address itself.
 */
function toSearch(place: ViewPlace, view: ScanFilter | undefined): string {
  const { id, query = '' } = view ?? {}
  const words = place === 'worklist' ? [query] : ['page=1', query, id && `view=${id}`]
  return words.filter(Boolean).join('&')
}

export interface ViewsMenuProps {
  readonly place: ViewPlace
  /** The list without any filter, such as 'All complaints'. */
  readonly allLabel: string
}

/**
 * Views of a list that were kept, one's own and those that the organization shares. Each is an address, so the list
 * has its search, its filters and its order there.
 *
 * @example <DataTable … views={<ViewsMenu place="complaint" allLabel="All complaints" />} />
 */
export function ViewsMenu({ place, allLabel }: ViewsMenuProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const query = new URLSearchParams(keep(params)).toString()
  // Asked for once somebody opens the menu, or comes by an address that may be a view.
  const [isWanted, setIsWanted] = useState(place === 'worklist' ? query !== '' : params.has('view'))
  const lookup = useLookup(scan.listFilters, { place }, { enabled: isWanted })
  const { data: views = none, error } = lookup
  const [opened, setOpened] = useState<'save' | 'manage'>()
  const applied = views.find((view) => toKey(view.query ?? '') === toKey(query))
  function choose(key: string) {
    if (key === 'save' || key === 'manage') return setOpened(key)
    const search = toSearch(
      place,
      views.find(({ id }) => id === key),
    )
    void navigate(search === '' ? pathname : `${pathname}?${search}`)
  }
  const close = () => setOpened(undefined)
  return (
    <>
      <MenuButton
        label="Views"
        look="default"
        busy={isWanted && lookup.isPending}
        onOpen={() => setIsWanted(true)}
        items={[
          { key: 'all', label: allLabel, isChosen: query === '' },
          ...views.map((view) => ({
            key: view.id,
            label: view.isOwn ? view.name : `${view.name} (shared)`,
            isChosen: view === applied,
          })),
          { key: 'save', label: 'Save this view…' },
          ...(views.length > 0 || error ? [{ key: 'manage', label: 'Manage views…' }] : []),
        ]}
        onChoose={choose}
      >
        {applied ? `View: ${applied.name}` : 'Views'}
      </MenuButton>
      {opened === 'save' && (
        <SaveViewModal place={place} query={query} search={params.get('searchTerm') ?? ''} onClose={close} />
      )}
      {opened === 'manage' && <ManageViewsModal place={place} views={views} error={error} onClose={close} />}
    </>
  )
}
