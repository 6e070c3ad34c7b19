import { lazy, Suspense, useState, type ComponentType } from 'react'
import { hasOverridesOrQuestion } from '../remotes/activeOverrides.ts'

// Nobody without an override loads any of this; nobody with one is left without a page because it did not come.
const Overrides = lazy<ComponentType>(() => import('./Overrides.tsx').catch(() => ({ default: () => null })))

/** Where overrides of this browser are named on every screen, and where a link's question is asked. */
export function OverrideSlot() {
  const [isConcerned] = useState(hasOverridesOrQuestion)
  return isConcerned ? (
    <Suspense fallback={null}>
      <Overrides />
    </Suspense>
  ) : null
}
