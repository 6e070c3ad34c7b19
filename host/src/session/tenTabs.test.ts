import * as account from '@dmp/contract/account'
import type { session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'

type Session = typeof session

const minute = 60_000
const start = Date.parse('2026-05-01T08:00:00Z')

/** A tab is a copy of the modules of its own over the storage that all tabs share. */
function openTab() {
  let tab: { session: Session; checkTokens: () => Promise<void> } | undefined
  jest.isolateModules(() => {
    const { session } = jest.requireActual<{ session: Session }>('@dmp/kit')
    const { checkTokens } = jest.requireActual<{ checkTokens: () => Promise<void> }>('./checkTokens.ts')
    tab = { session, checkTokens }
  })
  if (!tab) throw new Error('no tab')
  return tab
}

/** The Web Locks of a browser: one at a time over all tabs. */
function placeLocks(): void {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_name: string, work: () => Promise<unknown>) => (last = last.then(work, work))
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
}

afterEach(() => {
  jest.useRealTimers()
  localStorage.clear()
})

it('ten tabs over half an hour: one renewal for all, every tab holds the newest tokens, nobody is signed out [4.12, P08, P28]', async () => {
  jest.useFakeTimers({ now: start, doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] })
  placeSettings()
  placeLocks()
  signInAs('staff')
  let renewals = 0
  const { made } = serve(
    [
      answer(account.renewToken, () => {
        renewals += 1
        return {
          ...someTokens(),
          challengeName: null,
          session: null,
          accessToken: `access-${renewals}`,
          refreshToken: `refresh-${renewals}`,
          expiresIn: 900,
          expireDate: new Date(Date.now() + 15 * minute).toISOString(),
        }
      }),
      answer(account.logout, null),
    ],
    '/api',
  )
  const tabs = Array.from({ length: 10 }, openTab)
  const first = tabs[0]?.session.get().tokens?.accessToken
  expect(tabs.map(({ session }) => session.isValid())).toEqual(Array(10).fill(true))

  for (let passed = 1; passed <= 30; passed += 1) {
    jest.setSystemTime(start + passed * minute)
    // All at the same moment, as timers that began together do.
    await Promise.all(tabs.map(({ checkTokens }) => checkTokens()))
    expect(tabs.map(({ session }) => session.isValid())).toEqual(Array(10).fill(true))
  }
  expect(first).not.toBe('access-1')
  expect(new Set(tabs.map(({ session }) => session.get().tokens?.accessToken))).toEqual(new Set([`access-${renewals}`]))
  // Each token once: no refresh token was shown to the server twice.
  const shown = made
    .filter(({ endpoint }) => endpoint === account.renewToken)
    .map(({ input }) => (input as { refreshToken: string }).refreshToken)
  expect(new Set(shown).size).toBe(shown.length)
  expect(renewals).toBeGreaterThanOrEqual(2)
  expect(renewals).toBeLessThanOrEqual(3)
  expect(made.filter(({ endpoint }) => endpoint === account.logout)).toEqual([])
})
