import { Link } from '@dmp/kit/router'
import './screen.css'

export interface CardLink {
  readonly to: string
  readonly text: string
  /** Smaller text below the link. */
  readonly note: string
}

export interface CardLinksProps {
  readonly links: readonly CardLink[]
  /** The link to the whole list. */
  readonly all: { readonly to: string; readonly text: string }
  /** Shown without links. */
  readonly none: string
}

/** The content of a dashboard card: links to a few items, and one to all of them. */
export function CardLinks({ links, all, none }: CardLinksProps) {
  return (
    <>
      {links.length === 0 && <p>{none}</p>}
      <ul className="dmp-card-links">
        {links.map(({ to, text, note }) => (
          <li key={to}>
            <Link to={to}>
              <bdi>{text}</bdi>
            </Link>
            <span>
              <bdi>{note}</bdi>
            </span>
          </li>
        ))}
      </ul>
      <Link to={all.to}>{all.text}</Link>
    </>
  )
}
