import {
  assert,
  asyncProperty,
  array,
  boolean,
  constantFrom,
  oneof,
  record,
  constant,
  type Arbitrary,
} from 'fast-check'
import { UNSAFE_createMemoryHistory, UNSAFE_createRouter, type DataRouter } from 'react-router-dom'
import { PageRouter } from './PageRouter.ts'

/** What a person and screens do to a router. */
type Move =
  | { readonly kind: 'go'; readonly to: string; readonly replace: boolean; readonly state: unknown }
  | { readonly kind: 'back'; readonly by: number }
  | { readonly kind: 'block'; readonly on: boolean }
  | { readonly kind: 'answer'; readonly leaves: boolean }

const addresses = [
  '/scan',
  '/scan?page=2',
  '?page=3',
  '#below',
  '',
  '/scan/a%20b/ü',
  '//elsewhere.example/x',
  'https://elsewhere.example/x',
  'http://localhost/scan/1',
  'http://[',
  '/a/../b',
]
const moves: Arbitrary<Move> = oneof(
  record({
    kind: constant('go' as const),
    to: constantFrom(...addresses),
    replace: boolean(),
    state: constantFrom(undefined, null, { from: 'list' }),
  }),
  record({ kind: constant('back' as const), by: constantFrom(-2, -1, 1, 2) }),
  record({ kind: constant('block' as const), on: boolean() }),
  record({ kind: constant('answer' as const), leaves: boolean() }),
)

/** Two pages were visited before. Addresses are written as a browser writes them. */
function createHistory() {
  const history = UNSAFE_createMemoryHistory({ initialEntries: ['/login?a=1', '/scan'] })
  return Object.assign(history, {
    encodeLocation(to: Parameters<typeof history.encodeLocation>[0]) {
      const { pathname, search, hash } = history.createURL(to)
      return { pathname, search, hash }
    },
  })
}

/** Makes the moves, and says after each what the pages would see. */
async function play(router: DataRouter, made: readonly Move[]): Promise<unknown[]> {
  const seen: unknown[] = []
  const heard: string[] = []
  router.subscribe((state) => heard.push(`${state.location.pathname} ${state.blockers.get('leave')?.state}`))
  for (const move of made) {
    let failure: unknown
    if (move.kind === 'block') {
      if (move.on)
        router.getBlocker('leave', ({ currentLocation, nextLocation }) => {
          return currentLocation.pathname !== nextLocation.pathname
        })
      else router.deleteBlocker('leave')
    } else if (move.kind === 'answer') {
      const blocker = router.state.blockers.get('leave')
      if (blocker?.state === 'blocked') (move.leaves ? blocker.proceed : blocker.reset)()
    } else if (move.kind === 'back') await router.navigate(move.by)
    else
      await router.navigate(move.to, { replace: move.replace, state: move.state }).catch((error: unknown) => {
        failure = String(error)
      })
    await new Promise((resolve) => setTimeout(resolve))
    const { location, historyAction, matches, blockers } = router.state
    const { key: _key, ...at } = location
    seen.push({
      ...at,
      historyAction,
      params: matches.map(({ params, pathname }) => ({ params, pathname })),
      blocker: blockers.get('leave')?.state ?? 'unblocked',
      failure,
    })
  }
  return [seen, heard]
}

describe('the router', () => {
  it('goes, comes back, and asks before it leaves as the one of the library does, whatever is done to both', async () => {
    await assert(
      asyncProperty(array(moves, { maxLength: 12 }), async (made) => {
        const ours = new PageRouter(createHistory(), null, null).asDataRouter
        const theirs = UNSAFE_createRouter({ routes: [{ path: '*', element: null }], history: createHistory() })
        theirs.initialize()
        expect(await play(ours, made)).toEqual(await play(theirs, made))
        theirs.dispose()
      }),
      { numRuns: 100 },
    )
  })
})
