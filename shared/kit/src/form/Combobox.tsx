import { useEffect, useId, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import type { Option } from './Option.ts'
import './form.css'

export interface ComboboxProps {
  readonly id: string
  readonly name?: string
  readonly options: readonly Option[]
  readonly value: string | undefined
  readonly placeholder: string
  readonly disabled?: boolean
  readonly autoFocus?: boolean | undefined
  readonly style?: CSSProperties
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly described?: {
    readonly 'aria-describedby'?: string | undefined
    readonly 'aria-invalid'?: boolean | undefined
  }
}

/**
 * A select of many options: typing narrows them, arrows walk, Enter chooses, Escape gives up (the combobox of the
 * ARIA practices).
 */
export function Combobox({
  id,
  name,
  options,
  value,
  placeholder,
  disabled,
  autoFocus,
  style,
  onChange,
  onBlur,
  described = {},
}: ComboboxProps) {
  const listId = useId()
  /** The text typed since the list opened; undefined while it is closed. */
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const isOpen = typed !== undefined
  const selectedLabel = options.find((option) => option.value === value)?.label ?? ''
  const matches = typed
    ? options.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()))
    : options
  // React does not scroll lists.
  useEffect(() => {
    if (isOpen) list.current?.querySelector('[data-active="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }, [isOpen, active])

  const open = (text: string, at = 0) => {
    setTyped(text)
    setActive(at)
  }
  const close = () => setTyped(undefined)
  const choose = (option: Option | undefined) => {
    if (option) onChange(option.value)
    close()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (isOpen) setActive(Math.min(matches.length - 1, Math.max(0, active + step)))
      else
        open(
          '',
          Math.max(
            0,
            options.findIndex((option) => option.value === value),
          ),
        )
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault()
      choose(matches[active])
    } else if (isOpen && event.key === 'Escape') {
      // Escape must not close a dialog around the list, too.
      event.stopPropagation()
      close()
    }
  }
  const leave = () => {
    const exact = typed && options.find(({ label }) => label.toLowerCase() === typed.trim().toLowerCase())
    if (exact) onChange(exact.value)
    close()
    onBlur?.()
  }

  return (
    <span className="dmp-combo">
      <input
        id={id}
        name={name}
        className="dmp-input"
        style={style}
        role="combobox"
        type="text"
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        autoFocus={autoFocus}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && matches[active] ? `${listId}${active}` : undefined}
        placeholder={isOpen ? selectedLabel || 'Type to search' : placeholder}
        value={typed ?? selectedLabel}
        onChange={(event) => open(event.target.value)}
        onClick={() => !isOpen && open('')}
        onKeyDown={press}
        onBlur={leave}
        {...described}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Options"
        className="dmp-combo-list"
        hidden={!isOpen}
        tabIndex={-1}
      >
        {isOpen &&
          matches.map((option, at) => (
            <button
              key={option.value}
              id={`${listId}${at}`}
              type="button"
              role="option"
              aria-selected={option.value === value}
              data-active={at === active}
              tabIndex={-1}
              // Otherwise the field would lose the focus, which closes the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              {option.label}
            </button>
          ))}
        {isOpen && matches.length === 0 && (
          <button type="button" role="option" aria-selected={false} disabled tabIndex={-1}>
            No match
          </button>
        )}
      </div>
    </span>
  )
}
