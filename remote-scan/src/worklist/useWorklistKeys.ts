import { useEffect, useRef } from 'react'
import { preferences } from '@dmp/kit'

/** The keys of the worklist, as its sheet lists them. */
export const keySheet: readonly (readonly [string, string])[] = [
  ['j or ↓', 'Next study'],
  ['k or ↑', 'Previous study'],
  ['Enter', 'Open the study'],
  ['Space', 'Preview'],
  ['→ and ←', 'Show or hide the series'],
  ['x', 'Select or deselect'],
  ['e', 'View the images'],
  ['s', 'Share'],
  ['/', 'Search'],
  ['?', 'These keys'],
]

const preference = 'worklist-keys'
export const areKeysOn = (): boolean => preferences.read(preference) !== 'off'
export const writeKeys = (isOn: boolean): void => preferences.write(preference, isOn ? 'on' : 'off')

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
  | 'keys'
  | 'close'

const commands: Readonly<Record<string, WorklistCommand>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  Enter: 'open',
  ' ': 'preview',
  ArrowRight: 'expand',
  ArrowLeft: 'collapse',
  x: 'select',
  e: 'view',
  s: 'share',
  '/': 'search',
  '?': 'keys',
  Escape: 'close',
}

/** Controls keep the keys that work them. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (
    target.closest('input:not([type="checkbox"]), textarea, select, [role="menu"], [role="dialog"], [contenteditable]')
  )
    return true
  // Elsewhere the arrows scroll the page.
  if (key.startsWith('Arrow') && target.closest('.worklist-table') === null) return true
  const isButton = target.closest('button, summary, input') !== null
  const isLink = target.closest('a') !== null
  if (key === 'Enter') return isButton || isLink
  return key === ' ' && isButton
}

/** Single keys (WCAG 2.1.4: they can be switched off). The listener is the page's: the list is its main content. */
export function useWorklistKeys(isOn: boolean, run: (command: WorklistCommand) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  // The document is outside of React.
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => {
      const command = commands[event.key]
      if (command === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTaken(event) || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      latest.current(command)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOn])
}
