import { useEffect, useRef } from 'react'
import type { ColumnsView } from './useColumns.ts'

/** The choice of columns, of their order and of the rows' density. */
export function ColumnMenu<Row>({ view }: { view: ColumnsView<Row> }) {
  const { all, shown, density } = view
  const box = useRef<HTMLDetailsElement>(null)
  // A click elsewhere and Escape close the menu.
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
  const titles = shown.map(({ column }) => column.title)
  // Those that are shown in their order, then the others.
  const listed = [...titles, ...all.map(({ column }) => column.title).filter((title) => !titles.includes(title))]
  return (
    <details ref={box} className="dmp-columns">
      <summary>Columns</summary>
      <div className="dmp-columns-box">
        <fieldset>
          <legend>Shown columns</legend>
          {listed.map((title) => {
            const at = titles.indexOf(title)
            return (
              <div key={title} className="dmp-columns-row">
                <label>
                  <input
                    type="checkbox"
                    checked={at >= 0}
                    disabled={at >= 0 && titles.length === 1}
                    onChange={() => view.toggle(title)}
                  />{' '}
                  {title}
                </label>
                {at >= 0 && (
                  <>
                    <Arrow
                      label={`Move ${title} up`}
                      sign="↑"
                      disabled={at === 0}
                      onMove={() => view.move(title, -1)}
                    />
                    <Arrow
                      label={`Move ${title} down`}
                      sign="↓"
                      disabled={at === titles.length - 1}
                      onMove={() => view.move(title, 1)}
                    />
                  </>
                )}
              </div>
            )
          })}
          <button type="button" className="dmp-columns-arrow" onClick={view.reset}>
            Reset columns
          </button>
        </fieldset>
        <fieldset>
          <legend>Row height</legend>
          {(['comfortable', 'compact'] as const).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="density"
                checked={density === choice}
                onChange={() => view.chooseDensity(choice)}
              />{' '}
              {choice === 'compact' ? 'Compact' : 'Comfortable'}
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  )
}

interface ArrowProps {
  readonly label: string
  readonly sign: string
  readonly disabled: boolean
  readonly onMove: () => void
}

// Not `disabled`: the focus stays where the person is moving a column to the end.
function Arrow({ label, sign, disabled, onMove }: ArrowProps) {
  return (
    <button
      type="button"
      className="dmp-columns-arrow"
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => !disabled && onMove()}
    >
      {sign}
    </button>
  )
}
