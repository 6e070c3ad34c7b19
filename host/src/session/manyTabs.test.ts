import * as account from '@dmp/contract/account'
import type { session } from '@dmp/kit'
import { answer, placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'
import { lastSocket, placeFakeSocket, type FakeSocket } from '../testing/FakeSocket.ts'

type Session = typeof session

const minute = 60_000
const start = Date.parse('2026-05-01T08:00:00Z')

interface Tab {
  readonly session: Session
  readonly checkTokens: () => Promise<void>
  readonly socket: FakeSocket
  /** The token that its channel was shown last. */
  shownToken: string | undefined
}

/** A tab is a copy of the modules of its own over the storage that all tabs share, with its live channel. */
function openTab(): Tab {
  let tab: Tab | undefined
  jest.isolateModules(() => {
    const { session } = jest.requireActual<{ session: Session }>('@dmp/kit')
    const { checkTokens } = jest.requireActual<{ checkTokens: () => Promise<void> }>('./checkTokens.ts')
    const { openSessionChannel } = jest.requireActual<{ openSessionChannel: (sessionId: string) => unknown }>(
      './live/openSessionChannel.ts',
    )
    openSessionChannel('a-session')
    tab = { session, checkTokens, socket: lastSocket(), shownToken: session.get().tokens?.accessToken }
  })
  if (!tab) throw new Error('no tab')
  tab.socket.open()
  return tab
}

const mostFrames = 2000

/**
 * Each tab shows a new token on its channel, and the server passes that on to all others at once, as servers of
 * earlier versions do. Returns the number of frames passed on until all is quiet.
 */
async function passOn(tabs: readonly Tab[]): Promise<number> {
  let frames = 0
  for (;;) {
    const renewedTabs = tabs.filter(({ session, shownToken }) => session.get().tokens?.accessToken !== shownToken)
    if (renewedTabs.length === 0 || frames > mostFrames) return frames
    for (const tab of renewedTabs) {
      tab.shownToken = tab.session.get().tokens?.accessToken
      for (const other of tabs.filter(({ socket }) => socket !== tab.socket)) {
        other.socket.say({ type: 'renewToken' })
        frames += 1
      }
    }
    for (let turns = 0; turns < 100; turns += 1) await Promise.resolve()
  }
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

it.each([2, 5, 10])(
  '%i tabs with live channels over an hour: one renewal each time, every tab holds the newest tokens [4.12, 9.06, P08, P28]',
  async (count) => {
    jest.useFakeTimers({ now: start, doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] })
    placeSettings({ liveUrl: '/live' })
    placeFakeSocket()
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
    const tabs = Array.from({ length: count }, openTab)
    const first = tabs[0]?.session.get().tokens?.accessToken
    expect(tabs.map(({ session }) => session.isValid())).toEqual(Array(count).fill(true))

    let frames = 0
    for (let passed = 1; passed <= 60; passed += 1) {
      jest.setSystemTime(start + passed * minute)
      // All at the same moment, as timers that began together do.
      await Promise.all(tabs.map(({ checkTokens }) => checkTokens()))
      frames += await passOn(tabs)
      expect(tabs.map(({ session }) => session.isValid())).toEqual(Array(count).fill(true))
    }
    expect(first).not.toBe('access-1')
    expect(new Set(tabs.map(({ session }) => session.get().tokens?.accessToken))).toEqual(
      new Set([`access-${renewals}`]),
    )
    // Each token once: no refresh token was shown to the server twice.
    const shown = made
      .filter(({ endpoint }) => endpoint === account.renewToken)
      .map(({ input }) => (input as { refreshToken: string }).refreshToken)
    expect(new Set(shown).size).toBe(shown.length)
    // A token of 15 minutes is renewed with 3 left: after 12, 24, 36, 48 and 60 minutes.
    expect(renewals).toBe(5)
    expect(frames).toBe(renewals * count * (count - 1))
    expect(made.filter(({ endpoint }) => endpoint === account.logout)).toEqual([])
  },
)
