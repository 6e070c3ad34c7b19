import { limits } from '@dmp/contract/limits'
import { useUser } from '@dmp/kit'
import { useEffect, useState, type CSSProperties, type ReactNode } from 'react'
import { startPrefetch } from '../remotes/prefetch.ts'
import { OverrideSlot } from '../overrides/OverrideSlot.tsx'
import { Footer } from './Footer.tsx'
import { NewVersionBanner } from './NewVersionBanner.tsx'
import { SideNavigation } from './SideNavigation.tsx'
import { toggle, type SideNavigationState } from './sideNavigationState.ts'
import { SkipLink } from './SkipLink.tsx'
import { TopBar } from './TopBar.tsx'
import './shell.css'

/** The frame of every page of a signed-in user (2.32–2.36). */
export function Shell({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SideNavigationState>(isTablet() ? 'INACTIVE' : 'UNINITIALIZED')
  const { policy } = useUser()
  const isSmall = state === 'INACTIVE'
  const onToggle = () => setState(toggle)
  // 4.09: on narrow screens the drawer covers the page, so a choice closes it.
  const closeDrawer = () => {
    if (isNarrow()) setState('ACTIVE')
  }

  // Idle time is outside React.
  useEffect(() => startPrefetch(policy), [policy])

  return (
    <div className="dmp-shell" data-side={state} style={sizes}>
      <SkipLink />
      <SideNavigation isSmall={isSmall} onToggle={onToggle} onChoose={closeDrawer} />
      {isSmall && <button type="button" className="dmp-side-veil" aria-label="Close navigation" onClick={onToggle} />}
      <div className="dmp-column">
        <TopBar isSmall={isSmall} onToggle={onToggle} />
        <OverrideSlot />
        <NewVersionBanner />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <Footer />
      </div>
    </div>
  )
}

// 9.14: the layout in pixels.
const sizes = {
  '--dmp-side-full': `${limits.sideNavigationPx}px`,
  '--dmp-side-small': `${limits.sideNavigationCollapsedPx}px`,
  '--dmp-top-height': `${limits.topBarPx}px`,
} as CSSProperties

// The whole navigation would take a third of the page and push the last columns out of it.
const isTablet = (): boolean => window.innerWidth >= 768 && window.innerWidth < 1024

const isNarrow = (): boolean => matchMedia('(max-width: 767px)').matches
