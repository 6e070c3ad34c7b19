import type { ReactNode } from 'react'
import './screen.css'

export interface DetailProps {
  /** What can be done or changes often: at the right where there is room, above the rest where there is not. */
  readonly side: ReactNode
  readonly children: ReactNode
}

/** The two columns of a detail page; one where the side has nothing to show. */
export function Detail({ side, children }: DetailProps) {
  return (
    <div className="dmp-detail">
      <div>{children}</div>
      <div className="dmp-detail-side">{side}</div>
    </div>
  )
}
