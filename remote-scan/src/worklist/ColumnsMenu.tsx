import { preferences } from '@dmp/kit'
import { columnKeys, columns as kinds, defaultColumns, type ColumnKey } from './columns.ts'
import { usePopover } from './usePopover.ts'

export const densities = ['compact', 'normal', 'roomy'] as const
export type Density = (typeof densities)[number]
const densityKey = 'worklist-density'

export const readDensity = (): Density =>
  densities.find((density) => density === preferences.read(densityKey)) ?? 'normal'
export const writeDensity = (density: Density): void => preferences.write(densityKey, density)

const names: Readonly<Record<Density, { label: string }>> = {
  compact: { label: 'Compact' },
  normal: { label: 'Normal' },
  roomy: { label: 'Roomy' },
}

interface ColumnsMenuProps {
  readonly columns: readonly ColumnKey[]
  readonly onColumns: (columns: readonly ColumnKey[]) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
}

/** Which columns, in which order, and how high the rows are. */
export function ColumnsMenu({ columns, onColumns, density, onDensity }: ColumnsMenuProps) {
  const box = usePopover()
  const move = (key: ColumnKey, by: number) => {
    const at = columns.indexOf(key)
    const rest = columns.filter((other) => other !== key)
    onColumns([...rest.slice(0, at + by), key, ...rest.slice(at + by)])
  }
  const toggle = (key: ColumnKey, isOn: boolean) =>
    onColumns(isOn ? [...columns, key] : columns.filter((other) => other !== key))
  // Those that are shown in their order, then the others.
  const all = [...columns, ...columnKeys.filter((key) => !columns.includes(key))]
  return (
    <details ref={box} className="dmp-columns">
      <summary>Columns</summary>
      <div className="worklist-popover worklist-popover--end">
        <fieldset>
          <legend>Columns</legend>
          {all.map((key) => {
            const { title } = kinds[key]
            const at = columns.indexOf(key)
            return (
              <div key={key} className="worklist-column">
                <label>
                  <input
                    type="checkbox"
                    checked={at >= 0}
                    disabled={at >= 0 && columns.length === 1}
                    onChange={(event) => toggle(key, event.target.checked)}
                  />{' '}
                  {title}
                </label>
                {at >= 0 && (
                  <>
                    <Arrow label={`Move ${title} up`} sign="↑" disabled={at === 0} onClick={() => move(key, -1)} />
                    <Arrow
                      label={`Move ${title} down`}
                      sign="↓"
                      disabled={at === columns.length - 1}
                      onClick={() => move(key, 1)}
                    />
                  </>
                )}
              </div>
            )
          })}
          <button type="button" className="worklist-chip" onClick={() => onColumns(defaultColumns)}>
            Reset columns
          </button>
        </fieldset>
        <fieldset>
          <legend>Row height</legend>
          {densities.map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name="worklist-density"
                checked={density === choice}
                onChange={() => onDensity(choice)}
              />{' '}
              {names[choice].label}
            </label>
          ))}
        </fieldset>
      </div>
    </details>
  )
}

function Arrow(props: { label: string; sign: string; disabled: boolean; onClick: () => void }) {
  const { label, sign, disabled, onClick } = props
  return (
    <button type="button" className="worklist-arrow" aria-label={label} disabled={disabled} onClick={onClick}>
      {sign}
    </button>
  )
}
