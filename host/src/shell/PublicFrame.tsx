import type { ReactNode } from 'react'
import { OverrideSlot } from '../overrides/OverrideSlot.tsx'
import { Footer } from './Footer.tsx'
import { SkipLink } from './SkipLink.tsx'
import './shell.css'

/** The frame of pages that need no sign-in, with the footer of every page (1.12). */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="dmp-public-frame">
      <SkipLink />
      <OverrideSlot />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  )
}
