import { useEffect, useRef } from 'react'

/** Tells which rows are shown, once for each change: what is done with a selection depends on what one sees of it. */
export function useShownRows<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  tell: ((rows: readonly Row[]) => void) | undefined,
): void {
  const told = useRef<string>(undefined)
  // The screen around the table keeps them.
  useEffect(() => {
    const keys = JSON.stringify(rows.map(rowKey))
    if (!tell || told.current === keys) return
    told.current = keys
    tell(rows)
  })
}
