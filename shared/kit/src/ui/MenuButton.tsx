import Button from 'antd/es/button'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Spinner } from './basics.tsx'

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly icon?: ReactNode
  /** Ticked, in a menu that is a choice of one. */
  readonly isChosen?: boolean
}

export interface MenuButtonProps {
  /** The button's accessible name where it has no words, and the menu's. */
  readonly label: string
  readonly icon?: ReactNode
  /** Words on the button; without them only the icon. */
  readonly children?: ReactNode
  readonly className?: string
  /** Default 'text': without an edge. */
  readonly look?: 'text' | 'default'
  /** Entries are on their way, or what was chosen is being done; the menu opens all the same. */
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly items: readonly MenuItem[]
  readonly onChoose: (key: string) => void
}

/** A button with a menu: arrow keys walk, Escape and a click elsewhere close it (WAI-ARIA menu button). */
export function MenuButton({
  label,
  icon,
  children,
  className = '',
  look = 'text',
  busy = false,
  disabled = false,
  items,
  onChoose,
}: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLSpanElement>(null)
  const id = useId()
  const button = () => root.current?.querySelector<HTMLElement>('[aria-haspopup]')
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])]

  // The menu goes above everything, beside its button, and takes the focus; a click elsewhere or a moving page closes
  // it.
  useLayoutEffect(() => {
    if (isOpen) place(root.current)
  }, [isOpen, items.length])
  useEffect(() => {
    if (!isOpen) return
    const all = entries()
    ;(all.find((entry) => entry.getAttribute('aria-checked') === 'true') ?? all[0])?.focus()
    const close = (event: Event) => {
      if (!(event.target instanceof Node) || !root.current?.contains(event.target)) setIsOpen(false)
    }
    document.addEventListener('mousedown', close)
    window.addEventListener('scroll', close, true)
    window.addEventListener('resize', close)
    return () => {
      document.removeEventListener('mousedown', close)
      window.removeEventListener('scroll', close, true)
      window.removeEventListener('resize', close)
    }
    // Entries may come while it is open.
  }, [isOpen, items.length])

  const closeTo = () => {
    setIsOpen(false)
    button()?.focus()
  }
  const walk = (event: KeyboardEvent) => {
    const all = entries()
    const here = all.indexOf(document.activeElement as HTMLElement)
    const there = {
      ArrowDown: (here + 1) % all.length,
      ArrowUp: (here - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (event.key === 'Tab') setIsOpen(false)
    if (event.key === 'Escape') closeTo()
    if (there === undefined) return
    event.preventDefault()
    all[there]?.focus()
  }
  return (
    <span ref={root} className="dmp-menu-root">
      <Button
        type={look}
        className={className}
        icon={busy ? <Spinner /> : icon}
        aria-busy={busy}
        disabled={disabled}
        {...(children ? {} : { 'aria-label': label })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </Button>
      {isOpen && (
        <span id={id} className="dmp-menu" role="menu" tabIndex={-1} aria-label={label} {...popover} onKeyDown={walk}>
          {items.length === 0 && (
            <span role="none" className="dmp-menu-wait">
              {busy ? 'Loading…' : 'Nothing to choose.'}
            </span>
          )}
          {items.map(({ key, label: word, icon: sign, isChosen }) => (
            <button
              key={key}
              type="button"
              tabIndex={-1}
              role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
              {...(isChosen === undefined ? {} : { 'aria-checked': isChosen })}
              onClick={() => {
                closeTo()
                onChoose(key)
              }}
            >
              {sign}
              {word}
            </button>
          ))}
        </span>
      )}
    </span>
  )
}

// The browser's top layer: nothing clips it and nothing lies above it.
const popover = 'popover' in HTMLElement.prototype ? ({ popover: 'manual' } as const) : {}
const edge = 8

function place(root: HTMLElement | null): void {
  const menu = root?.querySelector<HTMLElement>('[role="menu"]')
  if (!root || !menu) return
  if ('popover' in menu && !menu.matches(':popover-open')) menu.showPopover()
  const button = root.getBoundingClientRect()
  const left = Math.max(edge, Math.min(button.left, innerWidth - menu.offsetWidth - edge))
  const below = button.bottom + 4
  const top =
    below + menu.offsetHeight > innerHeight - edge ? Math.max(edge, button.top - menu.offsetHeight - 4) : below
  Object.assign(menu.style, { left: `${left}px`, top: `${top}px` })
}
