import { preferences } from '@dmp/kit'
import { useState } from 'react'
import type { Column } from './column.ts'

/** A column that is shown, with its index among all columns of the table (a checkbox column counts, 2.63). */
export interface Shown<Row> {
  readonly column: Column<Row>
  readonly index: number
}

export type Density = 'comfortable' | 'compact'

export interface ColumnsView<Row> {
  readonly all: readonly Shown<Row>[]
  readonly shown: readonly Shown<Row>[]
  readonly density: Density
  readonly toggle: (title: string) => void
  readonly choose: (density: Density) => void
}

/** Which columns are shown and how densely, as the person chose in this browser. */
export function useColumns<Row>(
  label: string,
  columns: readonly Column<Row>[],
  hasCheckbox: boolean,
): ColumnsView<Row> {
  const key = `columns:${label}`
  const [choice, setChoice] = useState<readonly string[] | null>(() => parseTitles(preferences.read(key)))
  const [density, setDensity] = useState<Density>(() =>
    preferences.read('density') === 'compact' ? 'compact' : 'comfortable',
  )
  const isShown = ({ title, hidden }: Column<Row>): boolean => (choice ? choice.includes(title) : !hidden)
  const all = columns.map((column, position) => ({ column, index: position + (hasCheckbox ? 1 : 0) }))
  const shownColumns = all.filter(({ column }) => isShown(column))

  return {
    all,
    // After a renaming, an old choice may name no column at all.
    shown: shownColumns.length > 0 ? shownColumns : all.filter(({ column }) => !column.hidden),
    density,
    toggle(title: string): void {
      const titles = columns
        .filter((column) => isShown(column) !== (column.title === title))
        .map((column) => column.title)
      if (titles.length === 0) return
      setChoice(titles)
      preferences.write(key, JSON.stringify(titles))
    },
    choose(next: Density): void {
      setDensity(next)
      preferences.write('density', next)
    },
  }
}

function parseTitles(text: string | null): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return Array.isArray(value) ? value.filter((title) => typeof title === 'string') : null
  } catch {
    return null
  }
}
