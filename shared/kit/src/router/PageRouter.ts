import type { ReactNode } from 'react'
import {
  IDLE_BLOCKER,
  IDLE_NAVIGATION,
  matchRoutes,
  resolvePath,
  type Blocker,
  type BlockerFunction,
  type DataRouter,
  type Location,
  type UNSAFE_createBrowserHistory,
} from 'react-router-dom'

export type History = ReturnType<typeof UNSAFE_createBrowserHistory>
type State = DataRouter['state']
type Subscriber = Parameters<DataRouter['subscribe']>[0]
type Going = NonNullable<Parameters<DataRouter['navigate']>[1]>
type To = Parameters<DataRouter['navigate']>[0]
type Action = State['historyAction']

/**
 * A router of the library with one route, which contains everything: what `RouterProvider` and the hooks ask of one.
 * The library's own is half of what it weighs, nearly all of it for loaders and actions, which no page here has;
 * `PageRouter.test.ts` compares the two.
 *
 * Addresses are absolute, or a query alone.
 */
export class PageRouter {
  readonly basename = '/'
  readonly future = {}
  readonly window = globalThis.window
  readonly routes: DataRouter['routes']
  readonly manifest: Readonly<Record<string, unknown>>
  state: State
  readonly #history: History
  readonly #subscribers = new Set<Subscriber>()
  readonly #blockerFunctions = new Map<string, BlockerFunction>()
  /** Ends the wait for the history to be back where it was when a way back was blocked. */
  #onUndone: (() => void) | undefined
  /** Ends the wait of whoever went some pages back or forward. */
  #onPopped: (() => void) | undefined

  constructor(history: History, element: ReactNode, errorElement: ReactNode) {
    const route = { id: '0', path: '*', element, errorElement, hasErrorBoundary: true }
    this.#history = history
    this.routes = [route]
    this.manifest = { [route.id]: route }
    this.state = {
      historyAction: history.action,
      location: history.location,
      matches: this.#matchesAt(history.location),
      initialized: true,
      renderFallback: false,
      restoreScrollPosition: null,
      preventScrollReset: false,
      navigation: IDLE_NAVIGATION,
      revalidation: 'idle',
      loaderData: {},
      actionData: null,
      errors: null,
      fetchers: new Map(),
      blockers: new Map(),
    }
    history.listen((popped) => this.#onPop(popped))
  }

  /** As the library names it: what it has more is for loaders, actions, fetchers and middleware. */
  get asDataRouter(): DataRouter {
    return this as unknown as DataRouter
  }

  // The library takes these from the router and calls them alone.
  readonly createHref = (location: Location): string => this.#history.createHref(location)
  readonly createURL = (to: Location | string): URL => this.#history.createURL(to)
  readonly encodeLocation = (to: Location | string) => this.#history.encodeLocation(to)

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  getBlocker(key: string, shouldBlock: BlockerFunction): Blocker {
    this.#blockerFunctions.set(key, shouldBlock)
    return this.state.blockers.get(key) ?? IDLE_BLOCKER
  }

  deleteBlocker(key: string): void {
    this.state.blockers.delete(key)
    this.#blockerFunctions.delete(key)
  }

  /** Goes to an address, or some pages back or forward; the promise is kept when the page is there. */
  async navigate(to: To | number, options: Going = {}): Promise<void> {
    this.#endPop()
    if (typeof to === 'number') {
      const arrived = new Promise<void>((resolve) => {
        this.#onPopped = resolve
      })
      this.#history.go(to)
      return arrived
    }
    const location = this.#toLocation(to, options.state)
    const isReplacing = options.replace === true
    const historyAction = (isReplacing ? 'REPLACE' : 'PUSH') as Action
    if (this.#isBlocked(historyAction, location, () => void this.navigate(to, options))) return
    if (isReplacing) this.#history.replace(location, location.state)
    else this.#history.push(location, location.state)
    this.#arrive(historyAction, location)
  }

  #toLocation(to: To, state: unknown): Location {
    const history = this.#history
    const { location } = this.state
    const path = history.encodeLocation(resolvePath(to ?? location, location.pathname))
    const here = history.createURL('/')
    // Never to another origin, whatever an address looks like.
    const isElsewhere = (target: string): boolean =>
      URL.canParse(target, here) && new URL(target, here).origin !== here.origin
    if ((typeof to === 'string' && isElsewhere(to)) || isElsewhere(history.createHref(path)))
      throw new Error('External navigation is not allowed')
    return { ...path, state: state ?? null, key: createKey() }
  }

  #onPop({ action, location, delta }: { action: Action; location: Location; delta: number | null }): void {
    if (this.#onUndone) {
      this.#onUndone()
      this.#onUndone = undefined
      return
    }
    let undo: () => void = () => undefined
    const undone = new Promise<void>((resolve) => {
      undo = resolve
    })
    const goOn = () => void undone.then(() => this.#history.go(delta ?? 0))
    if (delta === null || !this.#isBlocked(action, location, goOn)) return this.#arrive(action, location)
    // The address has changed already: it is put back until the person has decided.
    this.#onUndone = undo
    this.#history.go(-delta)
    this.#endPop()
  }

  /** Asks whoever wants to be asked, last; true if the person stays for now. */
  #isBlocked(historyAction: Action, nextLocation: Location, goOn: () => void): boolean {
    const { blockers, location } = this.state
    const [key, shouldBlock] = [...this.#blockerFunctions].at(-1) ?? []
    if (key === undefined || blockers.get(key)?.state === 'proceeding') return false
    if (!shouldBlock?.({ currentLocation: location, nextLocation, historyAction })) return false
    this.#setBlocker(key, {
      state: 'blocked',
      location: nextLocation,
      proceed: () => {
        this.#setBlocker(key, { state: 'proceeding', proceed: undefined, reset: undefined, location: nextLocation })
        goOn()
      },
      reset: () => this.#setBlocker(key, IDLE_BLOCKER),
    })
    return true
  }

  #arrive(historyAction: Action, location: Location): void {
    // Whoever got here got through all that blocked.
    const blockers = new Map([...this.state.blockers.keys()].map((key): [string, Blocker] => [key, IDLE_BLOCKER]))
    this.#update({ historyAction, location, matches: this.#matchesAt(location), blockers })
    this.#endPop()
  }

  #endPop(): void {
    this.#onPopped?.()
    this.#onPopped = undefined
  }

  #setBlocker(key: string, blocker: Blocker): void {
    this.#update({ blockers: new Map(this.state.blockers).set(key, blocker) })
  }

  #update(change: Partial<State>): void {
    this.state = { ...this.state, ...change }
    for (const subscriber of this.#subscribers)
      subscriber(this.state, { deletedFetchers: [], newErrors: null, flushSync: false })
  }

  #matchesAt(location: Location): State['matches'] {
    return matchRoutes(this.routes, location) ?? []
  }
}

const createKey = (): string => Math.random().toString(36).slice(2, 10)
