import { Link } from '../router/index.ts'

export interface CountColumns {
  /** Headings of the two columns: what a row is, and what is counted. */
  readonly nameLabel: string
  readonly countLabel: string
}

export function CountHeadings({ nameLabel, countLabel }: CountColumns) {
  return (
    <tr>
      <th scope="col">{nameLabel}</th>
      <th scope="col">{countLabel}</th>
    </tr>
  )
}

interface Counted {
  readonly label: string
  readonly value: number
  readonly to?: string
}

/** What is counted, as the way to it; nothing leads to nothing. */
export function CountedName({ label, value, to }: Counted) {
  return <th scope="row">{to === undefined || value === 0 ? label : <Link to={to}>{label}</Link>}</th>
}
