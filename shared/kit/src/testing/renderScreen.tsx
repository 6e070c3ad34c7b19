import { aUser, someSettings } from '@dmp/contract/examples'
import type { Endpoint, Input } from '@dmp/contract/endpoint'
import { count as countInbox } from '@dmp/contract/inbox'
import type { RuntimeSettings } from '@dmp/contract/settings'
import type { RoleName } from '@dmp/contract/user'
import { CallError, DataProvider, type Tokens } from '@dmp/kit'
import { UnsavedGuard } from '@dmp/kit/screen'
import { loadDialogs, ThemeProvider } from '@dmp/kit/ui'
import { act, cleanup, render, type RenderResult } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { RouterProvider, UNSAFE_createMemoryHistory } from 'react-router-dom'
import { queryClient } from '../transport/queryClient.ts'
import { createAppRouter } from '../router/AppRouter.tsx'
import { clearTab } from '../session/clearTab.ts'
import { toStoredUser } from '../session/session.ts'
import { stored } from '../session/storage.ts'
import { useSessionStore } from '../session/store.ts'
import { answer, answersTable, type AnswersTable, type Line, type RequestRecord } from './answers.ts'
import { Follower, takeUnfollowed } from './followed.ts'
import { findLeftovers, hasFakeTimers, pause, watchLeftovers } from './leftovers.ts'
import { findStaleLists, placeEarlierAnswers } from './staleLists.ts'
import { addData, findUntranslated, watchTexts } from './untranslated.ts'

export type Role = RoleName

// A page has them shortly after it was drawn.
beforeAll(loadDialogs)

export interface ScreenOptions {
  /** Path and query. */
  readonly at: string
  /** The role whose policy the contract's examples give; null is signed out. Default: staff. */
  readonly as?: Role | null
  readonly answers?: readonly Line[]
  readonly settings?: Partial<RuntimeSettings>
  /** Other properties of the signed-in user. */
  readonly user?: Parameters<typeof aUser>[1]
  /** Navigation state that came along. */
  readonly state?: unknown
}

export interface Rendered extends RenderResult {
  readonly user: UserEvent
  /** Path and query the page is at. */
  readonly path: () => string
  /** Goes somewhere, as a link outside of the screen would. */
  readonly goTo: (to: string | -1) => Promise<void>
  /** Inputs that a call was made with, oldest first. */
  readonly calls: <E extends Endpoint>(endpoint: E) => Input<E>[]
  /** Every request, with its headers. */
  readonly made: readonly RequestRecord[]
}

/** Tokens that are valid for a quarter of an hour. */
export function someTokens(over: Partial<Tokens> = {}): Tokens {
  return {
    accessToken: 'an-access-token',
    refreshToken: 'a-refresh-token',
    idToken: 'an-id-token',
    challengeName: null,
    userId: aUser('staff').id,
    session: null,
    expiresIn: 900,
    expireDate: new Date(Date.now() + 900_000).toISOString(),
    sessionId: '00000000-0000-4000-8000-00000000beef',
    ...over,
  }
}

/** Puts the runtime settings into the page, as the server does. */
export function placeSettings(over: Partial<RuntimeSettings> = {}): RuntimeSettings {
  document.getElementById('dmp-settings')?.remove()
  const value = someSettings(over)
  const script = Object.assign(document.createElement('script'), {
    type: 'application/json',
    id: 'dmp-settings',
    textContent: JSON.stringify(value),
  })
  document.head.append(script)
  return value
}

/** Signs a role in, or everybody out, without any call. */
export function signInAs(role: Role | null, over: ScreenOptions['user'] = {}): void {
  const user = role === null ? null : toStoredUser(aUser(role, over))
  const tokens = role === null ? null : someTokens()
  stored.writeTokens(tokens)
  stored.writeUser(user)
  useSessionStore.setState({
    tokens,
    user,
    endedBecause: null,
    hasLeft: false,
    asksPassword: false,
    asksLeave: false,
    idle: { state: 'active' },
    live: 'off',
  })
}

/** Lets a table of answers stand in for the server. */
export function serve(lines: readonly Line[], apiRoot: string) {
  const served = answersTable(lines, apiRoot)
  globalThis.fetch = served.fetch
  return served
}

/** What the frame around every page asks. */
const ofEveryPage: readonly Line[] = [answer(countInbox, { unread: 0 })]

let table: AnswersTable | undefined
/** Ends the person's visit, and says what is wrong about it. Every test that drew a screen ends like this by itself. */
export async function endTest(): Promise<string[]> {
  const ended = table
  table = undefined
  const problems = ended ? await findProblems(ended) : []
  sessionStorage.clear()
  localStorage.clear()
  return problems
}

// Registered where Jest's globals are. The product itself ends what it began: here it is only asked to, and watched.
if (typeof afterEach === 'function')
  afterEach(async () => {
    const problems = await endTest()
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })

/** As long as an answer and what follows it take; one that never comes is not waited for. */
const answerMs = 500
const afterAnswerMs = 20

async function findProblems(served: AnswersTable): Promise<string[]> {
  const { unanswered, changed, changing, waiting, repeated } = served
  // A test may be over when its change has left, and the change is not.
  if (changing.size > 0 && !hasFakeTimers())
    await act(async () => {
      await Promise.race([Promise.allSettled(changing), pause(answerMs)])
      await pause(afterAnswerMs)
    })
  const stale = findStaleLists(changed)
  const untranslated = findUntranslated()
  cleanup()
  const unfollowed = takeUnfollowed()
  // Somebody comes, who was not here before, and leaves.
  useSessionStore.setState({ user: toStoredUser(aUser('staff', { email: 'next@example.org' })) })
  clearTab(null)
  for (const write of [stored.writeTokens, stored.writeUser, stored.writeLastActive]) write(null)
  const leftovers = await findLeftovers(() => [...waiting].map((name) => `the request ${name}`))
  return Object.entries({
    'The answers table has no line for': unanswered,
    'A second click makes the change again': repeated,
    'Lists show what is no longer true': stale,
    'What is under way is never looked at again': unfollowed,
    'In every language this is English': untranslated,
    'These outlive their screen and their person': leftovers,
  }).flatMap(([title, lines]) => (lines.length > 0 ? [`${title}: ${[...new Set(lines)].join(', ')}`] : []))
}

/** A refused call is drawn where it was made: React's words about it beside a passing test look like a fault. */
function reportUnlessRefused(error: unknown): void {
  if (!(error instanceof CallError)) console.error(error)
}

/**
 * Draws an app or screen at an address, as a role or signed out, against a table of answers. A call without a line
 * fails the test.
 *
 * @example
 * const { user } = renderScreen(<App />, { at: '/complaint', answers: [answer(complaint.list, { rows: [] })] })
 */
export function renderScreen(
  ui: ReactNode,
  { at, as = 'staff', answers = [], settings = {}, user: over = {}, state }: ScreenOptions,
): Rendered {
  const placed = placeSettings(settings)
  // A page that is loaded anew begins with an empty cache, in the middle of a test too.
  queryClient.clear()
  signInAs(as, over)
  const served = serve([...ofEveryPage, ...answers], placed.apiRoot)
  table = served
  placeEarlierAnswers()
  watchLeftovers()
  watchTexts()
  addData([useSessionStore.getState().user, decodeURIComponent(at), state, placed])
  const url = new URL(at, 'http://test.example')
  const router = createAppRouter(
    UNSAFE_createMemoryHistory({ initialEntries: [{ pathname: url.pathname, search: url.search, state }] }),
    <>
      {ui}
      <UnsavedGuard />
      <Follower />
    </>,
  )
  const rendered = render(
    <DataProvider>
      <ThemeProvider>
        <RouterProvider router={router.asDataRouter} />
      </ThemeProvider>
    </DataProvider>,
    { onCaughtError: reportUnlessRefused },
  )
  return {
    ...rendered,
    // Without a pause between events, tests take half the time.
    user: userEvent.setup({ delay: null, pointerEventsCheck: 0 }),
    path: () => router.state.location.pathname + router.state.location.search,
    goTo: (to) =>
      act(async () => {
        await (to === -1 ? router.navigate(-1) : router.navigate(to))
      }),
    calls: <E extends Endpoint>(endpoint: E) =>
      served.made.filter((made) => made.endpoint.name === endpoint.name).map(({ input }) => input as Input<E>),
    made: served.made,
  }
}
