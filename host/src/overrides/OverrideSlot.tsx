import { lazy, Suspense, useState, type ComponentType } from 'react'
import { hasOverridesOrQuestion } from '../remotes/activeOverrides.ts'

// Loaded only for browsers with an override. If it fails to load, the page still works.
const Overrides = lazy<ComponentType>(() => import('./Overrides.tsx').catch(() => ({ default: () => null })))

/** Shows this browser's overrides on every screen and asks the question of a link. */
export function OverrideSlot() {
  const [isConcerned] = useState(hasOverridesOrQuestion)
  return isConcerned ? (
    <Suspense fallback={null}>
      <Overrides />
    </Suspense>
  ) : null
}
