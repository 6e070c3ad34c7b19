import { dataWord, settings } from '@dmp/kit'
import { Link, useLocation } from '@dmp/kit/router'
import { useEffect, useRef, type ReactNode } from 'react'
import { currentPerson } from '../session/person.ts'
import { leavePath, leftPath } from '../router/leftPath.ts'
import { Help } from './Help.tsx'
import { ScreenBoundary } from './ScreenBoundary.tsx'
import './screen.css'

/** One step of the page header's trail (2.35). The last one is the page itself. */
export interface Breadcrumb {
  readonly name: string
  readonly url?: string
  readonly queryParams?: Readonly<Record<string, string>>
  readonly isActive?: boolean
}

export interface ScreenProps {
  /** The page's one h1 and, unless `documentTitle` says otherwise, the document's title. */
  readonly title: string
  readonly breadcrumbs?: readonly Breadcrumb[]
  /** What the page is for, a few sentences that stand behind a ? beside the title. */
  readonly help?: readonly string[]
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  /** The browser tab's title where `title` would name a patient (P23). */
  readonly documentTitle?: string
  readonly children?: ReactNode
}

/** A page: its header, and its content inside the innermost boundary, which shows wait and error. */
export function Screen({ title, breadcrumbs = [], help, actions, documentTitle = title, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const { pathname, key } = useLocation()
  // Back to the first page of a visit has its key, too.
  const isFirst = key === 'default' && leftPath() === ''
  // The document's title lies outside of React's tree.
  useEffect(() => {
    document.title = `${documentTitle} · ${settings().applicationName}`
  }, [documentTitle])
  // A route change is announced by moving the focus to the new heading (P29); the first page of a visit starts at its
  // top.
  useEffect(() => {
    if (!isFirst && !hasFocusElsewhere(page.current)) heading.current?.focus({ preventScroll: true })
  }, [pathname, isFirst])
  useEffect(() => {
    const person = currentPerson()
    return () => {
      if (currentPerson() === person) leavePath(pathname)
    }
  }, [pathname])
  return (
    <div className="dmp-screen" ref={page}>
      <header className="dmp-screen-header">
        <div>
          {breadcrumbs.length > 0 && <Trail steps={breadcrumbs} />}
          <div className="dmp-screen-title">
            <h1 ref={heading} tabIndex={-1}>
              <bdi>{title}</bdi>
            </h1>
            {help && <Help sentences={help} />}
          </div>
        </div>
        {actions && <div className="dmp-screen-actions">{actions}</div>}
      </header>
      <ScreenBoundary key={pathname} name={pathname.split('/').slice(1, 3).join('/')}>
        {children}
      </ScreenBoundary>
    </div>
  )
}

// A first field, a dialog or a restored row keeps the focus that it has.
const hasFocusElsewhere = (page: HTMLElement | null): boolean =>
  Boolean(document.activeElement?.closest('input, textarea, [role="dialog"]')) ||
  page?.contains(document.activeElement) === true

function Trail({ steps }: { steps: readonly Breadcrumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="dmp-trail">
      <ol>
        {steps.map(({ name, url, queryParams, isActive }, index) => {
          const isHere = isActive ?? index === steps.length - 1
          const search = queryParams ? `?${new URLSearchParams(queryParams)}` : ''
          return (
            <li key={`${name} ${url}`}>
              {url && !isHere ? (
                <Link to={url + search}>
                  <bdi>{dataWord(name)}</bdi>
                </Link>
              ) : (
                <bdi {...(isHere ? { 'aria-current': 'page' as const } : {})}>{dataWord(name)}</bdi>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
