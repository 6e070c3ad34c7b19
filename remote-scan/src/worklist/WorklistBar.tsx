import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { limits } from '@dmp/contract/limits'
import { areKeysOn } from '@dmp/kit'
import { ViewsMenu } from '@dmp/kit/form'
import { ColumnMenu } from '@dmp/kit/table'
import { Button, Spinner } from '@dmp/kit/ui'
import { columnKeys, columns as kinds, defaultColumns, type ColumnKey } from './columns.ts'
import { densities, type Density } from './density.ts'
import type { WorklistState } from './worklistState.ts'

interface WorklistBarProps {
  readonly choice: ReactNode
  readonly searchRef: RefObject<HTMLInputElement | null>
  readonly state: WorklistState
  readonly isSearching: boolean
  /** False where searches are not to be kept. */
  readonly hasViews: boolean
  readonly density: Density
  readonly onChange: (changes: Partial<WorklistState>) => void
  readonly onDensity: (density: Density) => void
  readonly onKeys: () => void
}

/** Search, views, columns and keys. */
export function WorklistBar(props: WorklistBarProps) {
  const { choice, state, hasViews, density, onChange, onDensity, onKeys } = props
  const waitingRef = useRef<() => void>(undefined)
  return (
    // A view is saved with what stands in the field.
    <div className="worklist-bar" onClickCapture={() => waitingRef.current?.()}>
      <StudySearch
        waitingRef={waitingRef}
        inputRef={props.searchRef}
        term={state.search}
        isSearching={props.isSearching}
        onSearch={(search) => onChange({ search })}
      />
      {choice}
      <span className="worklist-bar-end">
        {hasViews && <ViewsMenu place="worklist" allLabel="All studies" />}
        <ColumnMenu
          all={toTitles(columnKeys)}
          shown={toTitles(state.columns)}
          onToggle={(title) => onChange({ columns: toggle(state.columns, title) })}
          onMove={(title, by) => onChange({ columns: move(state.columns, title, by) })}
          onReset={() => onChange({ columns: defaultColumns })}
          heights={densities}
          height={density}
          onHeight={onDensity}
        />
        <Button className="worklist-keys-button" onClick={onKeys}>
          Keys
        </Button>
      </span>
    </div>
  )
}

const toTitles = (keys: readonly ColumnKey[]): string[] => keys.map((key) => kinds[key].title)
const hasTitle = (title: string) => (key: ColumnKey) => kinds[key].title === title

/** A column that is added comes last. */
const toggle = (shown: readonly ColumnKey[], title: string): ColumnKey[] =>
  shown.some(hasTitle(title))
    ? shown.filter((key) => !hasTitle(title)(key))
    : [...shown, ...columnKeys.filter(hasTitle(title))]

const move = (shown: readonly ColumnKey[], title: string, by: 1 | -1): ColumnKey[] => {
  const at = shown.findIndex(hasTitle(title))
  const rest = shown.toSpliced(at, 1)
  return rest.toSpliced(at + by, 0, ...shown.slice(at, at + 1))
}

interface StudySearchProps {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly term: string
  readonly isSearching: boolean
  readonly onSearch: (term: string) => void
  /** Holds the search that waits for the typing to pause. */
  readonly waitingRef: RefObject<(() => void) | undefined>
}

/** Searches when the typing pauses, or at Enter. */
function StudySearch({ inputRef, term, isSearching, onSearch, waitingRef }: StudySearchProps) {
  const [text, setText] = useState(term)
  const [seenTerm, setSeenTerm] = useState(term)
  const [isTyping, setTyping] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back, a view and a cleared filter change the term from outside, but never overwrite typing in progress.
  if (term !== seenTerm) {
    setSeenTerm(term)
    if (!isTyping) setText(term)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (next: string, delay: number) => {
    setText(next)
    setTyping(true)
    clearTimeout(timer.current)
    const run = () => {
      clearTimeout(timer.current)
      waitingRef.current = undefined
      setTyping(false)
      onSearch(next)
    }
    waitingRef.current = run
    timer.current = setTimeout(run, delay)
  }
  return (
    <span className="worklist-search" role="search">
      <input
        ref={inputRef}
        type="search"
        className="dmp-select"
        aria-label="Search studies"
        aria-keyshortcuts={areKeysOn() ? '/' : undefined}
        placeholder="Name, ID, description, date …"
        maxLength={limits.searchMaxChars}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => search(event.target.value, limits.scanSearchDebounceMs)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text, 0)
          if (event.key === 'Escape' && text === '') event.currentTarget.blur()
        }}
      />
      {isSearching || text !== term ? (
        <span role="status" aria-label="Searching" className="worklist-searching">
          <Spinner />
        </span>
      ) : (
        areKeysOn() && <kbd aria-hidden="true">/</kbd>
      )}
    </span>
  )
}
