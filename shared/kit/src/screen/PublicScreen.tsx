import { Card, Wordmark } from '@dmp/kit/ui'
import { useEffect, type ReactNode } from 'react'
import { settings } from '@dmp/kit'
import './screen.css'

export interface PublicScreenProps {
  /** The page's one h1. */
  readonly title: string
  /** More room, for forms with many fields. */
  readonly wide?: boolean
  /** Links to the other public pages, below the card. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** A page for people who are not signed in: the product's name, one card, the links below it. */
export function PublicScreen({ title, wide = false, footer, children }: PublicScreenProps) {
  const { applicationName } = settings()
  // The document's title lies outside of React's tree.
  useEffect(() => {
    document.title = `${title} · ${applicationName}`
  }, [title, applicationName])
  return (
    <div className="dmp-public">
      <p className="dmp-public-brand">
        <Wordmark />
      </p>
      <Card className={wide ? 'dmp-public-card dmp-public-card-wide' : 'dmp-public-card'}>
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </Card>
      {footer && <div className="dmp-public-footer">{footer}</div>}
    </div>
  )
}
