import { limits } from '@dmp/contract/limits'
import { Spinner } from '@dmp/kit/ui'
import { useEffect, useRef, useState, type RefObject } from 'react'

export interface TableSearchProps {
  /** Of the table: a page may have several. */
  readonly label: string
  readonly term: string
  /** ms without typing after which the search runs. */
  readonly delay: number
  readonly isSearching: boolean
  readonly onSearch: (term: string) => void
  /** Holds the search that waits for the typing to pause, for whatever needs it at once. */
  readonly waitingRef?: RefObject<(() => void) | undefined>
}

/** The optional search box with its loading indicator (2.63), debounced (4.16). */
export function TableSearch({
  label,
  term,
  delay = limits.tableSearchDebounceMs,
  isSearching,
  onSearch,
  waitingRef,
}: TableSearchProps) {
  const [text, setText] = useState(term)
  const [isTyping, setIsTyping] = useState(false)
  const [seenTerm, setSeenTerm] = useState(term)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back, Forward and a cleared search change the term from outside, but never overwrite typing in progress.
  if (term !== seenTerm) {
    setSeenTerm(term)
    if (!isTyping) setText(term)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  const search = (next: string, wait: number) => {
    setText(next)
    setIsTyping(true)
    clearTimeout(timer.current)
    const { pathname } = window.location
    const run = () => {
      clearTimeout(timer.current)
      if (waitingRef) waitingRef.current = undefined
      setIsTyping(false)
      // The next screen is drawn late: whoever has opened a row in the meantime is not brought back.
      if (window.location.pathname === pathname) onSearch(next)
    }
    if (waitingRef) waitingRef.current = run
    timer.current = setTimeout(run, wait)
  }
  return (
    <span className="dmp-table-search" role="search" aria-label={label}>
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        className="dmp-select"
        maxLength={limits.searchMaxChars}
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
