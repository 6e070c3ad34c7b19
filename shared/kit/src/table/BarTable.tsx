import { formatNumber } from '../language/index.ts'
import { CountedName, CountHeadings, type CountColumns } from './counted.tsx'
import './figures.css'

export interface Bar {
  readonly label: string
  readonly value: number
  /** Where `value` is written otherwise than as a number: "5.2 GB", "10,000+". */
  readonly text?: string
  readonly to?: string
  readonly tone?: 'warning' | 'danger'
}

export interface BarTableProps extends CountColumns {
  /** Names the table. */
  readonly label: string
  readonly bars: readonly Bar[]
  /** The value of a full bar; the largest one where absent. */
  readonly full?: number
}

/** A bar chart that is a table: a row of it has a name, a number, and a bar for the eye. */
export function BarTable({ label, nameLabel, countLabel, bars, full }: BarTableProps) {
  const most = Math.max(full ?? 0, ...bars.map(({ value }) => value), 1)
  return (
    <table className="dmp-bars" aria-label={label}>
      <thead className="dmp-hidden">
        <CountHeadings nameLabel={nameLabel} countLabel={countLabel} />
      </thead>
      <tbody>
        {bars.map(({ value, text = formatNumber(value), tone, ...bar }) => (
          <tr key={bar.label}>
            <CountedName {...bar} value={value} />
            <td>
              <svg className={tone ? `dmp-bar dmp-bar--${tone}` : 'dmp-bar'} aria-hidden="true">
                <rect className="dmp-bar-room" width="100%" height="100%" rx="3" />
                {value > 0 && <rect width={`${Math.max(2, (100 * value) / most)}%`} height="100%" rx="3" />}
              </svg>
              <span>{text}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
