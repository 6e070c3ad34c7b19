import { limits } from '@dmp/contract/limits'
import { studyFilterNames, type Study } from '@dmp/contract/scan'
import { columnKeys, defaultColumns, type ColumnKey } from './columns.ts'

export type Sort = 'arrivedDate' | 'patientName' | 'patientID' | 'studyDate' | 'description'
export type FilterName = (typeof studyFilterNames)[number]
export type Filters = Partial<Readonly<Record<FilterName, string>>>

/** What the worklist shows. All of it stands in the address, so that it can be kept, shared and gone back to. */
export interface WorklistState {
  readonly search: string
  readonly page: number
  readonly pageSize: number
  readonly sort: Sort
  readonly direction: 'asc' | 'desc'
  readonly filters: Filters
  readonly columns: readonly ColumnKey[]
}

const sorts: readonly Sort[] = ['arrivedDate', 'patientName', 'patientID', 'studyDate', 'description']
/** Dates begin with the newest, words with the first. */
export const firstDirection = (sort: Sort): 'asc' | 'desc' =>
  sort === 'arrivedDate' || sort === 'studyDate' ? 'desc' : 'asc'

const isoDay = /^\d{4}-\d{2}-\d{2}$/
const isFilter = (name: FilterName, value: string): boolean => {
  if (name.startsWith('is')) return value === 'true'
  return name.endsWith('From') || name.endsWith('To') ? isoDay.test(value) : value !== '' && value.length <= 255
}

/** Reads an address; whatever it does not know is left out. */
export function parseWorklist(params: URLSearchParams): WorklistState {
  const sort = sorts.find((known) => known === params.get('sort')) ?? 'arrivedDate'
  const direction = params.get('direction')
  const page = Number(params.get('page'))
  const pageSize = Number(params.get('pageSize'))
  const columns = (params.get('columns') ?? '').split(',').filter((key) => columnKeys.includes(key as ColumnKey))
  return {
    search: (params.get('searchTerm') ?? '').slice(0, limits.searchMaxChars),
    page: Number.isInteger(page) && page >= 1 && page < 1e6 ? page : 1,
    pageSize: limits.worklistPageSizes.find((size) => size === pageSize) ?? limits.worklistPageSize,
    sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : firstDirection(sort),
    filters: Object.fromEntries(
      studyFilterNames.flatMap((name) => {
        const value = params.get(name) ?? ''
        return isFilter(name, value) ? [[name, value]] : []
      }),
    ),
    columns: columns.length > 0 ? ([...new Set(columns)] as ColumnKey[]) : defaultColumns,
  }
}

/** Writes an address: only what differs from the list as it begins. */
export function formatWorklist(state: WorklistState, withSearch = true): URLSearchParams {
  const { search, page, pageSize, sort, direction, filters, columns } = state
  const entries: [string, string][] = [
    ['searchTerm', withSearch ? search : ''],
    ...Object.entries(filters),
    ['sort', sort === 'arrivedDate' && direction === 'desc' ? '' : sort],
    ['direction', direction === firstDirection(sort) ? '' : direction],
    ['pageSize', pageSize === limits.worklistPageSize ? '' : String(pageSize)],
    ['columns', columns.join() === defaultColumns.join() ? '' : columns.join()],
    ['page', page === 1 ? '' : String(page)],
  ]
  return new URLSearchParams(entries.filter(([, value]) => value !== ''))
}

/** Whether anything narrows the list. */
export const isNarrowed = ({ search, filters }: WorklistState): boolean =>
  search.trim() !== '' || Object.keys(filters).length > 0

/** Studies of one patient stand together, where the first of them stands; without an id nobody is the same patient. */
export function groupByPatient(studies: readonly Study[]): readonly (readonly Study[])[] {
  const groups = new Map<string, Study[]>()
  for (const study of studies) {
    const key = study.patientID === '' ? study.studyUID : `${study.patientID}\n${study.patientName}`
    const group = groups.get(key)
    if (group) group.push(study)
    else groups.set(key, [study])
  }
  return [...groups.values()]
}
