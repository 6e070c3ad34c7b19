import { formatNumber } from '../language/index.ts'
import { CountedName, CountHeadings, type CountColumns } from './counted.tsx'
import './figures.css'

export interface TrendPoint {
  readonly label: string
  readonly value: number
  readonly to?: string
}

export interface TrendChartProps extends CountColumns {
  /** Names the chart: "Arrivals of 14 days". */
  readonly label: string
  /** The oldest first. */
  readonly points: readonly TrendPoint[]
  /** How many of the last points stand out. */
  readonly marked?: number
}

const height = 48
const step = 10
const width = 8

/** Columns over time; the same numbers stand in a table below that opens, each the way to what it counts. */
export function TrendChart({ label, nameLabel, countLabel, points, marked = 0 }: TrendChartProps) {
  const most = Math.max(...points.map(({ value }) => value), 1)
  return (
    <figure className="dmp-trend">
      <svg
        viewBox={`0 0 ${points.length * step - step + width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {points.map(({ label: name, value }, index) => {
          const bar = Math.max(1, (height * value) / most)
          const isMarked = index >= points.length - marked
          return (
            <rect
              key={name}
              className={isMarked ? 'dmp-trend-marked' : undefined}
              x={index * step}
              y={height - bar}
              width={width}
              height={bar}
            >
              <title>{`${name}: ${formatNumber(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </figcaption>
      <details>
        <summary>{label}</summary>
        <table aria-label={label}>
          <thead>
            <CountHeadings nameLabel={nameLabel} countLabel={countLabel} />
          </thead>
          <tbody>
            {points.toReversed().map((point) => (
              <tr key={point.label}>
                <CountedName {...point} />
                <td>{formatNumber(point.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
