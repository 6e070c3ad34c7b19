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

/** The keys of the worklist. Away from the table the arrows scroll the page. */
const keys: readonly (readonly [
  WorklistCommand,
  label: string,
  keys: readonly string[],
  inTable: readonly string[],
])[] = [
  ['next', 'Next study', ['j'], ['ArrowDown']],
  ['previous', 'Previous study', ['k'], ['ArrowUp']],
  ['open', 'Open the study', ['Enter'], []],
  ['preview', 'Preview', [' '], []],
  ['expand', 'Show the series', [], [direction() === 'rtl' ? 'ArrowLeft' : 'ArrowRight']],
  ['collapse', 'Hide the series', [], [direction() === 'rtl' ? 'ArrowRight' : 'ArrowLeft']],
  ['select', 'Select or deselect', ['x'], []],
  ['view', 'View the images', ['e'], []],
  ['share', 'Share', ['s'], []],
  ['search', 'Search', ['/'], []],
  ['close', 'Close the preview', ['Escape'], []],
]

const isInTable = (): boolean => document.activeElement?.closest('.worklist-table') !== null

/** The listener is the page's: the list is its main content. */
export function useWorklistKeys(run: (command: WorklistCommand) => void): void {
  useKeys(
    keys.flatMap(([command, label, everywhere, inTable]): KeyCommand[] => {
      const entry = { label, group, run: () => run(command) }
      return [
        ...(everywhere.length > 0 ? [{ ...entry, keys: everywhere }] : []),
        ...(inTable.length > 0 ? [{ ...entry, keys: inTable, isEnabled: isInTable }] : []),
      ]
    }),
  )
}
