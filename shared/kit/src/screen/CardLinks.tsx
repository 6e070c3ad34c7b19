import { Link } from '@dmp/kit/router'
import './screen.css'

export interface CardLink {
  readonly to: string
  readonly text: string
  /** Quieter, below it. */
  readonly note: string
}

export interface CardLinksProps {
  readonly links: readonly CardLink[]
  /** Where the rest is. */
  readonly all: { readonly to: string; readonly text: string }
  /** Said when there is none. */
  readonly none: string
}

/** What a dashboard card lists: a few things that can be opened, and the way to all of them. */
export function CardLinks({ links, all, none }: CardLinksProps) {
  return (
    <>
      {links.length === 0 && <p>{none}</p>}
      <ul className="dmp-card-links">
        {links.map(({ to, text, note }) => (
          <li key={to}>
            <Link to={to}>{text}</Link>
            <span>{note}</span>
          </li>
        ))}
      </ul>
      <Link to={all.to}>{all.text}</Link>
    </>
  )
}
