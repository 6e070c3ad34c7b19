import { Link } from '../router/index.ts'
import './figures.css'

export interface Figure {
  readonly label: string
  /** As it is said: with separators, a unit, or a plus sign. */
  readonly value: string
  /** Where what it counts is listed. */
  readonly to?: string
  /** What it is to be compared with. */
  readonly noteText?: string
  readonly tone?: 'warning'
}

/** A few numbers beside each other, each the way to what it counts. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="dmp-figures">
      {figures.map(({ label, value, to, noteText, tone }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={tone === 'warning' ? 'dmp-figure dmp-figure--warning' : 'dmp-figure'}>
            {to === undefined ? (
              value
            ) : (
              <Link to={to} aria-label={`${label}: ${value}`}>
                {value}
              </Link>
            )}
          </dd>
          {noteText !== undefined && <dd className="dmp-figure-note">{noteText}</dd>}
        </div>
      ))}
    </dl>
  )
}
