import { preferences } from '@dmp/kit'
import { useMemo, useState } from 'react'
import type { Column } from './column.ts'
import { useSameList } from './useSameList.ts'

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
  /** One place towards the start (-1) or the end (1), where there is one. */
  readonly move: (title: string, by: 1 | -1) => void
  /** As the screen has them. */
  readonly reset: () => void
  readonly chooseDensity: (density: Density) => void
}

/** Which columns are shown, in which order and how densely, as the person chose in this browser. */
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
  const all = useMemo(
    () => columns.map((column, position) => ({ column, index: position + (hasCheckbox ? 1 : 0) })),
    [columns, hasCheckbox],
  )
  const chosen = (choice ?? []).flatMap((title) => all.find(({ column }) => column.title === title) ?? [])
  // After a renaming, an old choice may name no column at all.
  const shown = useSameList(chosen.length > 0 ? chosen : all.filter(({ column }) => !column.hidden))
  const titles = shown.map(({ column }) => column.title)
  const choose = (next: readonly string[]): void => {
    setChoice(next)
    preferences.write(key, JSON.stringify(next))
  }

  return {
    all,
    shown,
    density,
    toggle(title: string): void {
      if (titles.includes(title)) return choose(titles.filter((other) => other !== title))
      // Where it stands by itself: after the columns that the screen has before it.
      const index = all.find(({ column }) => column.title === title)?.index ?? 0
      const at = shown.findLastIndex((other) => other.index < index) + 1
      choose([...titles.slice(0, at), title, ...titles.slice(at)])
    },
    move(title: string, by: 1 | -1): void {
      const at = titles.indexOf(title)
      const rest = titles.filter((other) => other !== title)
      choose([...rest.slice(0, at + by), title, ...rest.slice(at + by)])
    },
    reset(): void {
      choose(columns.filter(({ hidden }) => !hidden).map((column) => column.title))
    },
    chooseDensity(next: Density): void {
      setDensity(next)
      preferences.write('density', next)
    },
  }
}

function parseTitles(text: string | null): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    // What names no column is not shown.
    return Array.isArray(value) ? (value as string[]) : null
  } catch {
    return null
  }
}
