import { useEffect, useRef } from 'react'
import type { Density, Shown } from './useColumns.ts'

export interface ColumnMenuProps<Row> {
  readonly all: readonly Shown<Row>[]
  readonly shown: readonly Shown<Row>[]
  readonly density: Density
  readonly onToggle: (title: string) => void
  readonly onDensity: (density: Density) => void
}

/** The choice of columns and of the rows' density. */
export function ColumnMenu<Row>({ all, shown, density, onToggle, onDensity }: ColumnMenuProps<Row>) {
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
          {(['comfortable', 'compact'] as const).map((choice) => (
            <label key={choice}>
              <input type="radio" name="density" checked={density === choice} onChange={() => onDensity(choice)} />{' '}
              {choice === 'compact' ? 'Compact' : 'Comfortable'}
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  )
}
