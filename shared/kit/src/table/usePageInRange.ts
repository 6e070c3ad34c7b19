import { useEffect, useEffectEvent, useRef } from 'react'

export interface PageRange {
  readonly page: number
  readonly pageSize: number
  /** Undefined while the rows are being loaded. */
  readonly total: number | undefined
  /** Which list this is. */
  readonly list: string
}

/**
 * From no rows to some, and in another list, the table returns to the first page; a page that no longer exists
 * becomes the last (4.16).
 */
export function usePageInRange({ page, pageSize, total, list }: PageRange, onPage: (page: number) => void): void {
  const previous = useRef({ total, list })
  const goTo = useEffectEvent(onPage)
  useEffect(() => {
    const { total: previousTotal, list: previousList } = previous.current
    if (total !== undefined) previous.current = { total, list }
    if (list !== previousList && page !== 1) goTo(1)
    else if (total === undefined) return
    else if (previousTotal === 0 && total > 0 && page !== 1) goTo(1)
    else if (total > 0 && page > Math.ceil(total / pageSize)) goTo(Math.ceil(total / pageSize))
  }, [total, list, page, pageSize])
}
