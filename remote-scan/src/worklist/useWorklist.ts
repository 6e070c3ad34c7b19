import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { scan, type Input } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { onPersonChange, settings, useLookup, type CallError } from '@dmp/kit'
import { useSearchParams } from '@dmp/kit/router'
import { getTimeZone } from '@dmp/kit/screen'
import { useEvery } from '@dmp/kit/table'
import { useReadMarks, useReturnToPage } from './useReadMarks.ts'
import { formatWorklist, parseWorklist, type WorklistState } from './worklistState.ts'

/** The address of the worklist when it was last left, for the way back from a scan. */
let lastQuery = ''
onPersonChange(() => {
  lastQuery = ''
})

/** The state of the worklist, in its address. */
export function useWorklistState() {
  const [inUrl, setParams] = useSearchParams()
  // The router draws a new address late; the next click starts from what the last one said.
  const [params, show] = useOptimistic(inUrl)
  const isHidden = settings().hideScanSearch
  const [hiddenSearch, setHiddenSearch] = useState('')
  const [restored, setRestored] = useState(() => (params.size === 0 ? lastQuery : ''))
  // Once it stands in the address, an empty address means the whole list again.
  if (restored !== '' && inUrl.size > 0) setRestored('')
  const parsed = parseWorklist(params.size === 0 && restored !== '' ? new URLSearchParams(restored) : params)
  const state = isHidden ? { ...parsed, search: hiddenSearch } : parsed
  const query = formatWorklist(state, !isHidden).toString()

  // The way back is written into the address once, at the start.
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    if (restored !== '') setParams(new URLSearchParams(restored), { replace: true })
  }, [restored, setParams])
  useEffect(() => {
    lastQuery = query
  }, [query])

  /** Whatever changes what is listed begins on its first page. */
  const change = (changes: Partial<WorklistState>): void => {
    if (isHidden && changes.search !== undefined) setHiddenSearch(changes.search)
    const page = changes.page ?? (changes.columns ? state.page : 1)
    startTransition(() => {
      const next = formatWorklist({ ...state, ...changes, page }, !isHidden)
      show(next)
      setParams(next, { replace: true, preventScrollReset: true })
    })
  }
  return { state, change, isHidden }
}

const zoned = (): { timeZone?: string } => (getTimeZone() === 'UTC' ? {} : { timeZone: getTimeZone() })

const toFilterInput = ({ search, filters }: WorklistState, organizationId: string) => ({
  organizationId,
  ...(search.trim() === '' ? {} : { search: search.trim() }),
  ...filters,
  ...(filters.receivedFrom || filters.receivedTo ? zoned() : {}),
})

export interface Studies {
  readonly studies: readonly Study[]
  readonly total: number
  readonly isWaiting: boolean
  readonly isFetching: boolean
  /** The line is lost, and these are the studies that were there before. */
  readonly isEarlier: boolean
  readonly error: CallError | null
  readonly refetch: () => void
}

const none: readonly Study[] = []

/** The studies of the page. While the next ones load, those of the same organization stay. */
export function useStudies(state: WorklistState, organizationId: string): Studies {
  const { page, pageSize, sort, direction } = state
  const input = { ...toFilterInput(state, organizationId), page, pageSize, sort, direction }
  const { data, error, isPending, isFetching, isEarlier, refetch } = useLookup(
    scan.listStudies,
    input as Input<typeof scan.listStudies>,
    { keepPrevious: (previous) => (previous as { organizationId?: string }).organizationId === organizationId },
  )
  // Whoever comes back has opened a study meanwhile: what is remembered is shown, and asked for again.
  const [isRemembered] = useState(data !== undefined)
  const again = useRef(refetch)
  useEffect(() => {
    if (isRemembered) again.current()
  }, [isRemembered])
  const studies = useReadMarks(data?.rows ?? none, input as Input<typeof scan.listStudies>)
  // Of new ones alone, those that were opened go altogether.
  useReturnToPage(() => state.filters.isNew === 'true' && again.current())
  const total = data?.total ?? 0
  return { studies, total, isWaiting: isPending, isFetching, isEarlier, error, refetch }
}

const pollMs = 20_000

/**
 * How many studies arrived since the list was read. They are not put into it: that would move what somebody is reading.
 * Only where the newest arrivals stand first can it be told which of them the list does not show yet.
 */
export function useNewStudies(
  state: WorklistState,
  organizationId: string,
  { studies, isFetching, error }: Studies,
): number {
  const isNewestFirst = state.sort === 'arrivedDate' && state.direction === 'desc' && state.page === 1
  const newest = studies.reduce((latest, { arrivedDate }) => (arrivedDate > latest ? arrivedDate : latest), '')
  const isOn = isNewestFirst && !isFetching && error === null
  const input = { ...toFilterInput(state, organizationId), ...(newest ? { arrivedAfter: newest } : {}) }
  const { data, refetch } = useLookup(scan.countStudies, input as Input<typeof scan.countStudies>, { enabled: isOn })
  useEvery(isOn ? pollMs : undefined, refetch)
  return isOn ? (data?.count ?? 0) : 0
}
