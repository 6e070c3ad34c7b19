import { useEffect, useRef } from 'react'

export interface Selection<Row> {
  readonly selected: readonly string[]
  /** All selected keys, and their rows as far as they were ever shown. */
  readonly onChange: (keys: readonly string[], rows: readonly Row[]) => void
}

/** The checkboxes of the rows, over all pages. Undefined where rows cannot be selected. */
export function useSelection<Row>(
  selection: Selection<Row> | undefined,
  rows: readonly Row[],
  rowKey: (row: Row) => string,
) {
  const seenRows = useRef(new Map<string, Row>())
  // Rows of other pages stay selected, and screens need the rows themselves.
  useEffect(() => {
    for (const row of rows) seenRows.current.set(rowKey(row), row)
  })
  if (!selection) return undefined
  const { selected, onChange } = selection
  const isSelected = (row: Row): boolean => selected.includes(rowKey(row))
  const change = (keys: readonly string[]) => {
    const knownRows = new Map([...seenRows.current, ...rows.map((row) => [rowKey(row), row] as const)])
    onChange(
      keys,
      keys.flatMap((key) => knownRows.get(key) ?? []),
    )
  }
  const pageKeys = rows.map(rowKey)
  return {
    isSelected,
    select: (row: Row, isOn: boolean) => {
      const key = rowKey(row)
      change(isOn ? [...selected, key] : selected.filter((other) => other !== key))
    },
    page: {
      some: rows.some(isSelected),
      all: rows.length > 0 && rows.every(isSelected),
      onChange: (isOn: boolean) =>
        change(isOn ? [...new Set([...selected, ...pageKeys])] : selected.filter((key) => !pageKeys.includes(key))),
    },
  }
}
