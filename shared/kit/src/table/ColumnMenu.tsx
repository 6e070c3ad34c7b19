import { usePopover } from '@dmp/kit/ui'
import { useId } from 'react'

export interface ColumnMenuProps<Height extends string> {
  /** The titles of all columns. */
  readonly all: readonly string[]
  /** Of those that are shown, in their order. */
  readonly shown: readonly string[]
  readonly onToggle: (title: string) => void
  /** One place towards the start (-1) or the end (1). */
  readonly onMove: (title: string, by: 1 | -1) => void
  /** As the screen has them. */
  readonly onReset: () => void
  readonly heights: readonly { readonly value: Height; readonly label: string }[]
  readonly height: Height
  readonly onHeight: (height: Height) => void
}

/** The choice of columns, of their order and of the rows' height. */
export function ColumnMenu<Height extends string>(props: ColumnMenuProps<Height>) {
  const { all, shown, onToggle, onMove, onReset, heights, height, onHeight } = props
  const box = usePopover()
  // Several tables of a page have a choice each.
  const name = useId()
  // Those that are shown in their order, then the others.
  const listed = [...shown, ...all.filter((title) => !shown.includes(title))]
  return (
    <details ref={box} className="dmp-columns">
      <summary className="dmp-button">Columns</summary>
      <div className="dmp-columns-box">
        <fieldset>
          <legend>Shown columns</legend>
          {listed.map((title) => {
            const at = shown.indexOf(title)
            return (
              <div key={title} className="dmp-columns-row">
                <label>
                  <input
                    type="checkbox"
                    checked={at >= 0}
                    disabled={at >= 0 && shown.length === 1}
                    onChange={() => onToggle(title)}
                  />{' '}
                  {title}
                </label>
                {at >= 0 && (
                  <>
                    <Arrow label={`Move ${title} up`} sign="↑" disabled={at === 0} onMove={() => onMove(title, -1)} />
                    <Arrow
                      label={`Move ${title} down`}
                      sign="↓"
                      disabled={at === shown.length - 1}
                      onMove={() => onMove(title, 1)}
                    />
                  </>
                )}
              </div>
            )
          })}
          <button type="button" className="dmp-columns-arrow" onClick={onReset}>
            Reset columns
          </button>
        </fieldset>
        <fieldset>
          <legend>Row height</legend>
          {heights.map(({ value, label }) => (
            <label key={value}>
              <input type="radio" name={name} checked={height === value} onChange={() => onHeight(value)} /> {label}
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
