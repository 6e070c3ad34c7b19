import { useEffect, useState, type ReactNode } from 'react'
import { RouterProvider, UNSAFE_createMemoryHistory } from 'react-router-dom'
import { createAppRouter } from './AppRouter.tsx'

export interface GuestRouterProps {
  /** The address of the page around the frame, without its origin. */
  readonly at: string
  /** The person went somewhere in the frame: the page around it is to go there as well. */
  readonly onGo: (to: string, isReplacing: boolean) => void
  /** Calls the listener when the page around went somewhere; returns what ends that. */
  readonly follow: (listener: (at: string) => void) => () => void
  readonly children: ReactNode
}

/** The router of a frame, which has no history of its own: it follows the page around it. */
export function GuestRouter({ at, onGo, follow, children }: GuestRouterProps) {
  const [router] = useState(() => createAppRouter(UNSAFE_createMemoryHistory({ initialEntries: [at] }), children))
  useEffect(() => {
    let shown = at
    const stopFollowing = follow((to) => {
      if (to === shown) return
      shown = to
      void router.navigate(to, { replace: true })
    })
    const stopTelling = router.subscribe(({ location, historyAction }) => {
      const to = location.pathname + location.search + location.hash
      if (to === shown) return
      shown = to
      onGo(to, historyAction === 'REPLACE')
    })
    return () => {
      stopFollowing()
      stopTelling()
    }
  }, [router, at, onGo, follow])
  return <RouterProvider router={router.asDataRouter} />
}
