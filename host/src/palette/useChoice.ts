import { useEffect, useState, type KeyboardEvent } from 'react'
import type { Group, Item } from './Item.ts'

/** A row that can be chosen: what was found, or another try of a search that failed. */
export type Row =
  | { readonly id: string; readonly item: Item; readonly failed?: undefined }
  | { readonly id: string; readonly failed: Group; readonly item?: undefined }

export const listRows = (groups: readonly Group[]): readonly Row[] =>
  groups.flatMap((group): readonly Row[] =>
    group.failure === undefined
      ? group.items.map((item) => ({ id: `${group.id} ${item.id}`, item }))
      : [{ id: `${group.id} again`, failed: group }],
  )

/** The first item; 'waiting' while a search above it has not answered, undefined where nothing was found. */
function findFirst(groups: readonly Group[]): Item | 'waiting' | undefined {
  for (const { isWaiting, items } of groups) {
    if (isWaiting) return 'waiting'
    if (items[0]) return items[0]
  }
  return undefined
}

interface ChoiceOptions {
  readonly text: string
  readonly groups: readonly Group[]
  readonly onOpen: (item: Item, inNewTab?: boolean) => void
  readonly onRetry: (id: string) => void
}

export interface RowChoice {
  readonly rows: readonly Row[]
  readonly activeAt: number
  /** How many things were found. */
  readonly count: number
  readonly press: (event: KeyboardEvent) => void
}

/**
 * The row that Enter opens. The person moves it, answers that arrive do not. Enter right after the last letter opens
 * the first row of the answer to come, not one of an earlier answer.
 */
export function useChoice({ text, groups, onOpen, onRetry }: ChoiceOptions): RowChoice {
  const rows = listRows(groups)
  const [moved, setMoved] = useState<{ text: string; id: string }>()
  const [enteredText, setEntered] = useState<string>()
  const movedAt = moved?.text === text ? rows.findIndex(({ id }) => id === moved.id) : -1
  const first = findFirst(groups)
  // Nothing is active while Enter would wait.
  const activeAt = movedAt >= 0 ? movedAt : rows.length > 0 && first !== 'waiting' ? 0 : -1
  // What was asked for by Enter may arrive later.
  useEffect(() => {
    if (enteredText === text && first !== undefined && first !== 'waiting') onOpen(first)
  }, [enteredText, first, text, onOpen])

  const enter = (inNewTab: boolean) => {
    const row = rows[movedAt]
    if (row?.item) onOpen(row.item, inNewTab)
    else if (row?.failed) onRetry(row.failed.id)
    else setEntered(text)
  }
  return {
    rows,
    activeAt,
    count: rows.filter(({ item }) => item !== undefined).length,
    press: (event) => {
      if (event.nativeEvent.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined && rows.length > 0) {
        event.preventDefault()
        const row = activeAt < 0 ? rows.at(step > 0 ? 0 : -1) : rows[(activeAt + step + rows.length) % rows.length]
        if (row) setMoved({ text, id: row.id })
      }
      if (event.key !== 'Enter') return
      event.preventDefault()
      enter(event.ctrlKey || event.metaKey)
    },
  }
}
