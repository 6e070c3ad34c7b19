import { useKeys, type KeyCommand } from '@dmp/kit'
import type { RefObject } from 'react'

/** What a key does with the row of the focus. */
export interface RowCommand<Row> {
  /** As the overlay of keys names it: "View the images". */
  readonly label: string
  /** As `KeyboardEvent.key` says them: `e`, ` `. */
  readonly keys: readonly string[]
  readonly run: (row: Row) => void
}

interface TableKeys {
  /** The table's name, under which its keys stand in the overlay. */
  readonly label: string
  readonly isSearchable: boolean
  readonly isSelectable: boolean
  readonly hasLinks: boolean
  /** Of the rows by their key. */
  readonly rowCommands: readonly RowCommand<string>[]
}

/** The keys of a list: they move the focus over the rows' links and work what the row of the focus has. */
export function useTableKeys(box: RefObject<HTMLElement | null>, table: TableKeys): void {
  const links = () => [...(box.current?.querySelectorAll<HTMLElement>('.dmp-row-link') ?? [])]
  const row = () => {
    const focused = document.activeElement?.closest('tr') ?? null
    return box.current?.contains(focused) ? focused : null
  }
  const move = (by: 1 | -1) => {
    const all = links()
    const here = all.findIndex((link) => row()?.contains(link))
    const next = here < 0 ? 0 : Math.min(all.length - 1, Math.max(0, here + by))
    all[next]?.focus()
  }
  const search = () => box.current?.closest('.dmp-table')?.querySelector<HTMLElement>('input[type="search"]')
  const group = table.label
  const isOnRow = () => row() !== null
  const walk: KeyCommand[] = [
    { label: 'Next row', group, keys: ['j'], run: () => move(1) },
    { label: 'Previous row', group, keys: ['k'], run: () => move(-1) },
    {
      label: 'Open the row',
      group,
      keys: ['Enter'],
      run: () => row()?.querySelector<HTMLElement>('.dmp-row-link')?.click(),
      isEnabled: isOnRow,
    },
  ]
  const select: KeyCommand = {
    label: 'Select or deselect the row',
    group,
    keys: ['x'],
    run: () => row()?.querySelector<HTMLElement>('.dmp-cell-check input')?.click(),
    isEnabled: isOnRow,
  }
  const onRow = table.rowCommands.map(({ label, keys, run }): KeyCommand => ({
    label,
    group,
    keys,
    isEnabled: isOnRow,
    run: () => {
      const key = row()?.dataset.key
      if (key !== undefined) run(key)
    },
  }))
  useKeys([
    ...(table.hasLinks ? walk : []),
    ...(table.isSelectable ? [select] : []),
    ...onRow,
    ...(table.isSearchable ? [{ label: 'Search this list', group, keys: ['/'], run: () => search()?.focus() }] : []),
  ])
}
