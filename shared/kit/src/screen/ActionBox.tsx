import { Children, type ReactNode } from 'react'
import { Section } from './Section.tsx'

/** The Actions box of the detail screens, its buttons below each other. Draws nothing without buttons. */
export function ActionBox({ title = 'Actions', children }: { title?: string; children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null
  return (
    <Section title={title}>
      <div className="dmp-actions">{children}</div>
    </Section>
  )
}
