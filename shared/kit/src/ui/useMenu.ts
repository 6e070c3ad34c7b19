import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'

const edgePx = 8
const gapPx = 4

export interface MenuControl {
  /** For the element around button and menu. */
  readonly root: RefObject<HTMLSpanElement | null>
  readonly id: string
  readonly isOpen: boolean
  readonly toggle: () => void
  /** Closes the menu and focuses its button. */
  readonly close: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Opens, places and closes a menu below its button, and moves the focus through its entries. */
export function useMenu(entryCount: number): MenuControl {
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const id = useId()
  // Entries may arrive while the menu is open, which changes its size.
  useLayoutEffect(() => {
    if (isOpen) placeMenu(root.current)
  }, [isOpen, entryCount])
  useEffect(() => {
    if (!isOpen) return
    focusFirst(root.current)
    return onOutside(root, () => setIsOpen(false))
  }, [isOpen, entryCount])

  const close = () => {
    setIsOpen(false)
    root.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') setIsOpen(false)
    if (event.key === 'Escape') close()
    moveFocus(event, listEntries(root.current))
  }
  return { root, id, isOpen, toggle: () => setIsOpen(!isOpen), close, onKeyDown }
}

const listEntries = (root: HTMLElement | null): readonly HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
]

function focusFirst(root: HTMLElement | null): void {
  const entries = listEntries(root)
  const checkedEntry = entries.find((entry) => entry.getAttribute('aria-checked') === 'true')
  ;(checkedEntry ?? entries[0])?.focus()
}

function moveFocus(event: KeyboardEvent, entries: readonly HTMLElement[]): void {
  const position = entries.indexOf(document.activeElement as HTMLElement)
  const nextPosition = {
    ArrowDown: (position + 1) % entries.length,
    ArrowUp: (position - 1 + entries.length) % entries.length,
    Home: 0,
    End: entries.length - 1,
  }[event.key]
  if (nextPosition === undefined) return
  event.preventDefault()
  entries[nextPosition]?.focus()
}

// A click elsewhere and a moving page close the menu, which stands at a fixed place.
function onOutside(root: RefObject<HTMLElement | null>, close: () => void): () => void {
  const closeOutside = (event: Event) => {
    if (!(event.target instanceof Node) || !root.current?.contains(event.target)) close()
  }
  document.addEventListener('mousedown', closeOutside)
  window.addEventListener('scroll', closeOutside, true)
  window.addEventListener('resize', closeOutside)
  return () => {
    document.removeEventListener('mousedown', closeOutside)
    window.removeEventListener('scroll', closeOutside, true)
    window.removeEventListener('resize', closeOutside)
  }
}

function placeMenu(root: HTMLElement | null): void {
  const menu = root?.querySelector<HTMLElement>('[role="menu"]')
  if (!root || !menu) return
  if ('popover' in menu && !menu.matches(':popover-open')) menu.showPopover()
  const button = root.getBoundingClientRect()
  const start = getComputedStyle(root).direction === 'rtl' ? button.right - menu.offsetWidth : button.left
  const left = Math.max(edgePx, Math.min(start, innerWidth - menu.offsetWidth - edgePx))
  const below = button.bottom + gapPx
  const fitsBelow = below + menu.offsetHeight <= innerHeight - edgePx
  const top = fitsBelow ? below : Math.max(edgePx, button.top - menu.offsetHeight - gapPx)
  Object.assign(menu.style, { left: `${left}px`, top: `${top}px` })
}
