import { limits } from '@dmp/contract/limits'
import { Button, DownloadOutlined, Spinner } from '@dmp/kit/ui'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Density, Shown } from './useColumns.ts'

export interface SearchProps {
  readonly term: string
  /** ms without typing after which the search runs. */
  readonly delay: number
  readonly isSearching: boolean
  readonly onSearch: (term: string) => void
}

/** The optional search box with its loading indicator (2.63), debounced (4.16). */
export function Search({ term, delay = limits.tableSearchDebounceMs, isSearching, onSearch }: SearchProps) {
  const [text, setText] = useState(term)
  const [isTyping, setIsTyping] = useState(false)
  const [seenTerm, setSeenTerm] = useState(term)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back, Forward and a cleared search change the term from outside; what is being typed is not overwritten.
  if (term !== seenTerm) {
    setSeenTerm(term)
    if (!isTyping) setText(term)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const search = (next: string, wait: number) => {
    setText(next)
    setIsTyping(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setIsTyping(false)
      onSearch(next)
    }, wait)
  }
  return (
    <span className="dmp-table-search" role="search">
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        className="dmp-select"
        maxLength={255}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => search(event.target.value, delay)}
        onKeyDown={(event) => event.key === 'Enter' && search(text, 0)}
      />
      {(isSearching || text !== term) && (
        <span role="status" aria-label="Searching" className="dmp-table-searching">
          <Spinner />
        </span>
      )}
    </span>
  )
}

export interface ColumnMenuProps<Row> {
  readonly all: readonly Shown<Row>[]
  readonly shown: readonly Shown<Row>[]
  readonly density: Density
  readonly onToggle: (title: string) => void
  readonly onDensity: (density: Density) => void
}

/** Which columns are shown, and how densely the rows stand. */
export function ColumnMenu<Row>({ all, shown, density, onToggle, onDensity }: ColumnMenuProps<Row>) {
  const box = useRef<HTMLDetailsElement>(null)
  // A click elsewhere and Escape close it, as every menu does.
  useEffect(() => {
    const close = (event: MouseEvent) => {
      if (box.current?.open && event.target instanceof Node && !box.current.contains(event.target))
        box.current.open = false
    }
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !box.current?.open) return
      box.current.open = false
      box.current.querySelector('summary')?.focus()
    }
    document.addEventListener('click', close)
    document.addEventListener('keydown', escape)
    return () => {
      document.removeEventListener('click', close)
      document.removeEventListener('keydown', escape)
    }
  }, [])
  const titles = new Set(shown.map(({ column }) => column.title))
  return (
    <details ref={box} className="dmp-columns">
      <summary>Columns</summary>
      <div className="dmp-columns-box">
        <fieldset>
          <legend>Shown columns</legend>
          {all.map(({ column: { title } }) => (
            <label key={title}>
              <input
                type="checkbox"
                checked={titles.has(title)}
                disabled={titles.has(title) && titles.size === 1}
                onChange={() => onToggle(title)}
              />{' '}
              {title}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Row height</legend>
          {(['comfortable', 'compact'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="density" checked={density === one} onChange={() => onDensity(one)} />{' '}
              {one === 'compact' ? 'Compact' : 'Comfortable'}
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  )
}

/** Saves the whole result of the search as a file. */
export function ExportButton({ disabled, onExport }: { disabled: boolean; onExport: () => Promise<void> }): ReactNode {
  const [isBusy, setIsBusy] = useState(false)
  const run = () => {
    setIsBusy(true)
    void onExport().finally(() => setIsBusy(false))
  }
  return (
    <Button icon={<DownloadOutlined />} disabled={disabled} loading={isBusy} onClick={run}>
      Export CSV
    </Button>
  )
}
