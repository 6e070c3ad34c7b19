import type { ScanFilter } from '@dmp/contract/scan'

/**
 * The address of a filter is the list's own (2.63: search and sorting stand in the address), so it can be opened and
 * passed on.
 */
export function formatFilterAddress({
  search,
  sortColumn,
  sortDirection,
}: Pick<ScanFilter, 'search' | 'sortColumn' | 'sortDirection'>): string {
  return `/scan?${new URLSearchParams({ searchTerm: search, sortColumn, sortDirection })}`
}
