import type { KeyboardEventHandler, ReactNode } from 'react'
import { Spinner } from './basics.tsx'
import { Button } from './Button.tsx'
import { useMenu } from './useMenu.ts'

export interface MenuItem {
  readonly key: string
  readonly label: string
  /** The language of the label, where it is not the page's. */
  readonly lang?: string
  readonly icon?: ReactNode
  /** Ticked, in a menu that is a choice of one. */
  readonly isChosen?: boolean
}

export interface MenuButtonProps {
  /** The accessible name of the menu, and of the button where it has no text. */
  readonly label: string
  readonly icon?: ReactNode
  /** Text of the button; without it, the button is its icon alone. */
  readonly children?: ReactNode
  readonly className?: string
  /** Default 'text': without a border. */
  readonly look?: 'text' | 'default'
  /** The entries are being loaded, or the chosen one is being carried out; the menu can be opened all the same. */
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly items: readonly MenuItem[]
  readonly onChoose: (key: string) => void
  /** Such as to ask for the entries. */
  readonly onOpen?: () => void
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
  onOpen,
}: MenuButtonProps) {
  const { root, id, isOpen, toggle, close, onKeyDown } = useMenu(items.length)
  const choose = (key: string) => {
    close()
    onChoose(key)
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
        onClick={() => {
          if (!isOpen) onOpen?.()
          toggle()
        }}
      >
        {children}
      </Button>
      {isOpen && <Menu id={id} label={label} busy={busy} items={items} onChoose={choose} onKeyDown={onKeyDown} />}
    </span>
  )
}

interface MenuProps extends Pick<MenuButtonProps, 'label' | 'items' | 'onChoose'> {
  readonly id: string
  readonly busy: boolean
  readonly onKeyDown: KeyboardEventHandler
}

function Menu({ id, label, busy, items, onChoose, onKeyDown }: MenuProps) {
  return (
    <span id={id} className="dmp-menu" role="menu" tabIndex={-1} aria-label={label} {...popover} onKeyDown={onKeyDown}>
      {items.length === 0 && (
        <span role="none" className="dmp-menu-wait">
          {busy ? 'Loading…' : 'No choices.'}
        </span>
      )}
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          tabIndex={-1}
          lang={item.lang}
          role={item.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
          {...(item.isChosen === undefined ? {} : { 'aria-checked': item.isChosen })}
          onClick={() => onChoose(item.key)}
        >
          {item.icon}
          {item.label}
        </button>
      ))}
    </span>
  )
}

// The browser's top layer: nothing clips the menu and nothing covers it.
const popover = 'popover' in HTMLElement.prototype ? ({ popover: 'manual' } as const) : {}
