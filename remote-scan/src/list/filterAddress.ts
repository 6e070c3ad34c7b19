import type { ScanFilter } from '@dmp/contract/scan'

/** Where a filter leads: the list's own address (2.63), so that it can be opened and passed on like any other. */
export function addressOf({
  search,
  sortColumn,
  sortDirection,
}: Pick<ScanFilter, 'search' | 'sortColumn' | 'sortDirection'>): string {
  return `/scan?${new URLSearchParams({ searchTerm: search, sortColumn, sortDirection })}`
}
