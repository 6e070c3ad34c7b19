import { useEffect, useEffectEvent, useRef, useState, type ComponentType } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** What a part that draws by itself gets of the page around it. */
export interface OwnPage {
  /** The address without its origin. */
  readonly at: () => string
  readonly go: (to: string, options?: { readonly replace?: boolean }) => void
  /** Calls the listener after the address has changed; returns what ends that. */
  readonly follow: (listener: (at: string) => void) => () => void
  /** Shows the page's card in place of the part, with a way out. */
  readonly fail: (error: unknown) => void
}

/** Draws into an element that nothing else draws into; returns what takes it away again. */
export type Mount = (element: HTMLElement, page: OwnPage) => () => void

/**
 * Makes the `App` of a part that brings a React of its own, or none: it needs nothing of the page's React, so the page
 * may have another major version. Screens, forms and tables of the kit are drawn by the page's React, and not for it.
 *
 * @example
 *   export const App = ownRoot((element, page) => {
 *     const root = createRoot(element)
 *     root.render(<Report page={page} />)
 *     return () => root.unmount()
 *   })
 */
export function ownRoot(mount: Mount): ComponentType {
  return function OwnRoot() {
    const element = useRef<HTMLDivElement>(null)
    const { pathname, search, hash } = useLocation()
    const navigate = useNavigate()
    const [failure, setFailure] = useState<{ error: unknown }>()
    const [listeners] = useState(() => new Set<(at: string) => void>())
    const at = pathname + search + hash
    const getAddress = useEffectEvent(() => at)
    const go = useEffectEvent<OwnPage['go']>((to, options) => void navigate(to, options))

    useEffect(() => {
      if (element.current === null) return
      return mount(element.current, {
        at: () => getAddress(),
        go: (to, options) => go(to, options),
        follow: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        fail: (error) => setFailure({ error }),
      })
    }, [listeners])
    useEffect(() => listeners.forEach((listener) => listener(at)), [at, listeners])

    if (failure) throw failure.error
    return <div ref={element} />
  }
}
