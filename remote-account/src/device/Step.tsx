import { useEffect, useRef, type ReactNode } from 'react'

/** A part of a screen that takes the place of another one: the focus moves to it, as to a new page (P29). */
export function Step({ label, children }: { label: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  // The focus lies outside of React's tree. Scrolling would put the warning under the top bar.
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  return (
    <div className="device-step" role="group" aria-label={label} tabIndex={-1} ref={element}>
      {children}
    </div>
  )
}
