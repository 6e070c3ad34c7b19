import { RightOutlined } from '@dmp/kit/ui'
import { useId, useState, type ReactNode } from 'react'

export interface SectionProps {
  readonly title: string
  /** Buttons at the right of the heading. */
  readonly extra?: ReactNode
  /** The heading opens and closes the section. */
  readonly collapsible?: boolean
  /** Controls the section from outside (expand all, collapse all); without it the section starts open. */
  readonly open?: boolean
  readonly onToggle?: (open: boolean) => void
  readonly children: ReactNode
}

/** A titled card of a screen. */
export function Section({ title, extra, collapsible = false, open, onToggle, children }: SectionProps) {
  const [isOpenHere, setIsOpenHere] = useState(true)
  const id = useId()
  const isOpen = !collapsible || (open ?? isOpenHere)
  const toggle = () => {
    setIsOpenHere(!isOpen)
    onToggle?.(!isOpen)
  }
  return (
    <section className="dmp-section" aria-labelledby={`${id}title`}>
      <div className="dmp-section-head">
        <h2 id={`${id}title`}>
          {collapsible ? (
            <button
              type="button"
              className="dmp-section-toggle"
              aria-expanded={isOpen}
              aria-controls={`${id}body`}
              onClick={toggle}
            >
              <RightOutlined rotate={isOpen ? 90 : 0} /> {title}
            </button>
          ) : (
            title
          )}
        </h2>
        {extra}
      </div>
      <div id={`${id}body`} className="dmp-section-body" hidden={!isOpen}>
        {children}
      </div>
    </section>
  )
}
