import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { ScanFilter } from '@dmp/contract/scan'
import { settings, useLookup } from '@dmp/kit'
import { useNavigate, useSearchParams } from '@dmp/kit/router'
import { MenuButton } from '@dmp/kit/ui'
import { ManageFiltersModal, SaveFilterModal } from '../shared/laterDialogs.tsx'
import { formatFilterAddress } from './filterAddress.ts'

/** The viewer's own filters: one click applies them; the present search can be saved by a name. */
export function ScanFilters() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { data: filters = [], isPending, error } = useLookup(scan.listFilters, {})
  const [opened, setOpened] = useState<'save' | 'manage'>()
  // An installation that keeps the search out of the address keeps it out of the database too.
  if (settings().hideScanSearch) return null

  const now = {
    search: params.get('searchTerm') ?? '',
    sortColumn: params.get('sortColumn') ?? '',
    sortDirection: parseDirection(params.get('sortDirection')),
  }
  const isApplied = ({ search, sortColumn, sortDirection }: ScanFilter) =>
    search === now.search && sortColumn === now.sortColumn && sortDirection === now.sortDirection
  const applied = filters.find(isApplied)

  function choose(key: string) {
    const filter = filters.find(({ id }) => id === key)
    if (filter) navigate(formatFilterAddress(filter))
    else setOpened(key === 'save' ? 'save' : 'manage')
  }
  return (
    <>
      <MenuButton
        label="Filters"
        look="default"
        busy={isPending}
        items={[
          ...filters.map((filter) => ({ key: filter.id, label: filter.name, isChosen: filter === applied })),
          { key: 'save', label: 'Save this search…' },
          ...(filters.length > 0 || error ? [{ key: 'manage', label: 'Manage filters…' }] : []),
        ]}
        onChoose={choose}
      >
        {applied ? `Filter: ${applied.name}` : 'Filters'}
      </MenuButton>
      {opened === 'save' && <SaveFilterModal {...now} onClose={() => setOpened(undefined)} />}
      {opened === 'manage' && (
        <ManageFiltersModal filters={filters} error={error} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}

const parseDirection = (text: string | null): 'asc' | 'desc' | '' => (text === 'asc' || text === 'desc' ? text : '')
