import { direction, useKeys, type KeyCommand } from '@dmp/kit'

export type WorklistCommand =
  | 'next'
  | 'previous'
  | 'open'
  | 'preview'
  | 'expand'
  | 'collapse'
  | 'select'
  | 'view'
  | 'share'
  | 'search'
  | 'close'

const group = 'Worklist'

const commandLabels: Readonly<Record<WorklistCommand, string>> = {
  next: 'Next study',
  previous: 'Previous study',
  open: 'Open the study',
  preview: 'Preview',
  expand: 'Show the series',
  collapse: 'Hide the series',
  select: 'Select or deselect',
  view: 'View the images',
  share: 'Share',
  search: 'Search',
  close: 'Close the preview',
}

/** The keys of the worklist. Away from the table the arrows scroll the page. */
const keys: readonly (readonly [WorklistCommand, keys: readonly string[], inTable: readonly string[]])[] = [
  ['next', ['j'], ['ArrowDown']],
  ['previous', ['k'], ['ArrowUp']],
  ['open', ['Enter'], []],
  ['preview', [' '], []],
  ['expand', [], [direction() === 'rtl' ? 'ArrowLeft' : 'ArrowRight']],
  ['collapse', [], [direction() === 'rtl' ? 'ArrowRight' : 'ArrowLeft']],
  ['select', ['x'], []],
  ['view', ['e'], []],
  ['share', ['s'], []],
  ['search', ['/'], []],
  ['close', ['Escape'], []],
]

const isInTable = (): boolean => document.activeElement?.closest('.worklist-table') !== null

/** The listener is the page's: the list is its main content. */
export function useWorklistKeys(run: (command: WorklistCommand) => void): void {
  useKeys(
    keys.flatMap(([command, everywhere, inTable]): KeyCommand[] => {
      const entry = { label: commandLabels[command], group, run: () => run(command) }
      return [
        ...(everywhere.length > 0 ? [{ ...entry, keys: everywhere }] : []),
        ...(inTable.length > 0 ? [{ ...entry, keys: inTable, isEnabled: isInTable }] : []),
      ]
    }),
  )
}
