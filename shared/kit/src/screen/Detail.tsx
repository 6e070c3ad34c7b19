import type { ReactNode } from 'react'
import './screen.css'

export interface DetailProps {
  /** Actions and changing values: at the right, or above the rest on narrow screens. */
  readonly side: ReactNode
  readonly children: ReactNode
}

/** The two columns of a detail page; one without content at the side. */
export function Detail({ side, children }: DetailProps) {
  return (
    <div className="dmp-detail">
      <div>{children}</div>
      <div className="dmp-detail-side">{side}</div>
    </div>
  )
}
