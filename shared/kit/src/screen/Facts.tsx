import type { ReactNode } from 'react'

export interface Fact {
  readonly label: string
  /** Empty values show a dash. */
  readonly value: ReactNode
  /** Spans all columns, for long text. */
  readonly wide?: boolean
}

export interface FactsProps {
  readonly facts: readonly Fact[]
  /** Default 2 (clause 2.59: the number divides 12); narrow screens have one. */
  readonly columns?: 1 | 2 | 3 | 4 | 6 | 12
}

// A value may be written in another direction than its page, and begin with a sign.
const isolate = (value: ReactNode): ReactNode =>
  typeof value === 'string' || typeof value === 'number' ? <bdi>{value}</bdi> : value

/** Label and value pairs in columns. */
export function Facts({ facts, columns = 2 }: FactsProps) {
  return (
    <dl className={`dmp-facts dmp-facts--${columns}`}>
      {facts.map(({ label, value, wide }) => (
        <div key={label} className={wide ? 'dmp-fact-wide' : undefined}>
          <dt>{label}</dt>
          <dd>
            {value === null || value === undefined || value === '' ? <span aria-label="None">–</span> : isolate(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
