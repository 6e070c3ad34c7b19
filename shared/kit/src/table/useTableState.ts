import { useLocation, useSearchParams } from '@dmp/kit/router'
import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { tableHistory } from './tableHistory.ts'
import { toSearchParams, hasState, parseState, type TableState } from './tableState.ts'

/** The first segment of the path: the module that the history of 9.11 belongs to. */
export const getModule = (pathname: string): string => pathname.split('/')[1] ?? ''

/**
 * The table's state, which lives in the URL without history entries (2.63). Without any there, what the list
 * looked like when a row was opened, for who comes back from within (2.58, 2.60). `withSearch` false keeps the term
 * out of the URL.
 */
export function useTableState(columns: number, withSearch: boolean) {
  const [inUrl, setParams] = useSearchParams()
  // The router draws a new address late; the table shows its state at once, and the next click starts from it.
  const [params, show] = useOptimistic(inUrl)
  const { pathname, key } = useLocation()
  const [hiddenTerm, setHiddenTerm] = useState('')
  const isSaid = hasState(params)
  // A typed or external address is taken literally.
  const [remembered] = useState(() => (isSaid || key === 'default' ? '' : tableHistory.list(getModule(pathname))))
  const fromUrl = parseState(isSaid || remembered === '' ? params : new URLSearchParams(remembered), columns)
  const state = withSearch ? fromUrl : { ...fromUrl, searchTerm: hiddenTerm }

  const change = (changes: Partial<TableState>): void => {
    if (!withSearch && changes.searchTerm !== undefined) setHiddenTerm(changes.searchTerm)
    startTransition(() => {
      const next = toSearchParams(params, { ...fromUrl, ...changes }, withSearch)
      show(next)
      setParams(next, { replace: true, preventScrollReset: true })
    })
  }

  const asText = toSearchParams(params, state, withSearch).toString()
  const isOff =
    isSaid && asText !== params.toString() && [...params.keys()].every((key, index, all) => all.indexOf(key) === index)
  // An invalid or restored state is written to the URL once, at the start (5.19).
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    if (isOff || (!isSaid && remembered !== ''))
      setParams(new URLSearchParams(asText), { replace: true, preventScrollReset: true })
  }, [isOff, isSaid, remembered, asText, setParams])

  return { state, change, query: `?${asText}`, pathname }
}
