import { lastActive, recordActivity, session, sessionTexts } from '@dmp/kit'
import { placeSettings, serve, signInAs, someTokens } from '@dmp/kit/testing'
import * as account from '@dmp/contract/account'
import { answer } from '@dmp/kit/testing'
import { formatCountdown } from './formatCountdown.ts'
import { checkIdle, toIdleState, showIdleWarning, startActivityWatch } from './idle.ts'
import { checkTokens } from './checkTokens.ts'

const minute = 60_000
const times = { idleMinutes: 10, timeoutMinutes: 5 }
const start = Date.parse('2026-05-01T08:00:00Z')

beforeEach(() => {
  jest.useFakeTimers({ now: start, doNotFake: ['queueMicrotask'] })
  placeSettings()
  signInAs('staff')
  serve([answer(account.logout, null)], '/api')
  recordActivity()
})
afterEach(() => {
  jest.useRealTimers()
  localStorage.clear()
})

describe('inactivity', () => {
  it.each([
    [0, 'active'],
    [9.99, 'active'],
    [10, 'warning'],
    [14.99, 'warning'],
    [15, 'timed out'],
    [600, 'timed out'],
  ])('after %d minutes it is %s [4.13, 9.07]', (minutes, state) => {
    expect(toIdleState(start, start + minutes * minute, times).state).toBe(state)
  })

  it('opens the warning with its end and tells the live channel once [4.13]', () => {
    const warn = jest.fn()
    jest.setSystemTime(start + 11 * minute)
    checkIdle(warn)
    checkIdle(warn)
    expect(session.get().idle).toEqual({ state: 'warning', until: start + 15 * minute })
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('ends the session with a logout and its text at 15 minutes [4.13, 2.40]', () => {
    jest.setSystemTime(start + 15 * minute)
    checkIdle(() => {})
    expect(session.get()).toMatchObject({ tokens: null, user: null, endedBecause: sessionTexts.idledOut })
    expect(localStorage.getItem('authData')).toBeNull()
  })

  it.each(['click', 'keydown', 'wheel', 'mousedown', 'touchstart', 'scroll'])(
    'takes %s as activity, which closes the warning [4.13]',
    (kind) => {
      const stop = startActivityWatch(() => {})
      jest.setSystemTime(start + 11 * minute)
      checkIdle(() => {})
      document.body.dispatchEvent(new Event(kind, { bubbles: true }))
      expect(session.get().idle).toEqual({ state: 'active' })
      expect(lastActive()).toBe(start + 11 * minute)
      stop()
    },
  )

  it('records mouse activity at most every 500 ms [4.13]', () => {
    const stop = startActivityWatch(() => {})
    document.body.dispatchEvent(new Event('wheel', { bubbles: true }))
    jest.setSystemTime(start + 499)
    document.body.dispatchEvent(new Event('wheel', { bubbles: true }))
    expect(lastActive()).toBe(start)
    jest.setSystemTime(start + 500)
    document.body.dispatchEvent(new Event('wheel', { bubbles: true }))
    expect(lastActive()).toBe(start + 500)
    stop()
  })

  it('does not count activity when the access token has ended [4.13]', () => {
    const stop = startActivityWatch(() => {})
    jest.setSystemTime(start + 14 * minute + 59_000)
    localStorage.setItem('lastActiveTime', String(start + 14 * minute))
    jest.setSystemTime(start + 16 * minute)
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }))
    expect(lastActive()).toBe(start + 14 * minute)
    stop()
  })

  it('does not let the first click after a closed lid revive the session [4.13, P28]', () => {
    const stop = startActivityWatch(() => {})
    jest.setSystemTime(start + 60 * minute)
    document.body.dispatchEvent(new Event('click', { bubbles: true }))
    expect(session.get()).toMatchObject({ tokens: null, endedBecause: sessionTexts.idledOut })
    stop()
  })

  it('is not revived by a click after its time, though the token was renewed before the lid closed [4.13, P28]', () => {
    const stop = startActivityWatch(() => {})
    jest.setSystemTime(start + 9 * minute)
    signInAs('staff')
    jest.setSystemTime(start + 16 * minute)
    expect(session.isValid()).toBe(true)
    document.body.dispatchEvent(new Event('click', { bubbles: true }))
    expect(session.get()).toMatchObject({ tokens: null, endedBecause: sessionTexts.idledOut })
    stop()
  })

  it('is nobody’s where nobody is signed in: no warning, and no activity to begin with [4.13]', () => {
    signInAs(null)
    localStorage.clear()
    const warn = jest.fn()
    jest.setSystemTime(start + 11 * minute)
    checkIdle(warn)
    showIdleWarning()
    expect([session.get().idle, lastActive(), warn.mock.calls]).toEqual([{ state: 'active' }, 0, []])
  })

  it('sees activity of another tab [4.13, P28]', () => {
    jest.setSystemTime(start + 11 * minute)
    checkIdle(() => {})
    localStorage.setItem('lastActiveTime', String(start + 11 * minute))
    checkIdle(() => {})
    expect(session.get().idle).toEqual({ state: 'active' })
  })

  it('opens the warning when the live channel says so, and keeps it until there is activity [2.40, 4.14]', () => {
    showIdleWarning()
    checkIdle(() => {})
    expect(session.get().idle).toEqual({ state: 'warning', until: start + 5 * minute, isFromLive: true })
    recordActivity()
    expect(session.get().idle).toEqual({ state: 'active' })
  })

  it('ends the session when the time that the live channel gave is over [4.13, 4.14]', () => {
    showIdleWarning()
    jest.setSystemTime(start + 5 * minute - 1)
    checkIdle(() => {})
    expect(session.get().tokens).not.toBeNull()
    jest.setSystemTime(start + 5 * minute)
    checkIdle(() => {})
    expect(session.get()).toMatchObject({ tokens: null, endedBecause: sessionTexts.idledOut })
  })

  it('lets a warning that stands already count on when the live channel warns again [2.40, 4.14]', () => {
    showIdleWarning()
    jest.setSystemTime(start + minute)
    showIdleWarning()
    expect(session.get().idle).toMatchObject({ state: 'warning', until: start + 5 * minute })
  })

  it('has the words of the live channel when this browser saw somebody five seconds too late for that [2.40]', () => {
    jest.setSystemTime(start + 10 * minute - 5000)
    showIdleWarning()
    expect(session.get().idle).toMatchObject({ isFromLive: true, until: start + 15 * minute - 5000 })
  })

  it('counts what a part of the page keeps to itself as activity, too [4.13]', () => {
    const stop = startActivityWatch(() => {})
    const keep = (event: Event) => event.stopPropagation()
    document.body.addEventListener('keydown', keep)
    jest.setSystemTime(start + minute)
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }))
    expect(lastActive()).toBe(start + minute)
    document.body.removeEventListener('keydown', keep)
    stop()
    jest.setSystemTime(start + 2 * minute)
    document.body.dispatchEvent(new Event('keydown', { bubbles: true }))
    expect(lastActive()).toBe(start + minute)
  })

  it('keeps the usual words when another tab was only quicker to see the idling [2.40, P28]', () => {
    jest.setSystemTime(start + 10 * minute - 500)
    showIdleWarning()
    expect(session.get().idle).toEqual({ state: 'warning', until: start + 15 * minute })
  })
})

describe('the countdown', () => {
  it.each([
    [300_000, '5 mins 0 secs'],
    [299_001, '5 mins 0 secs'],
    [119_000, '1 min 59 secs'],
    [60_000, '1 min 0 secs'],
    [59_000, '59 secs'],
    [0, '0 secs'],
    [-5000, '0 secs'],
  ])('of %i ms reads %s [9.07]', (ms, text) => {
    expect(formatCountdown(ms)).toBe(text)
  })
})

describe('the token check', () => {
  const tokensIn = (ms: number) => someTokens({ expireDate: new Date(start + ms).toISOString() })
  const renewed = answer(account.renewToken, {
    accessToken: 'renewed',
    refreshToken: 'next',
    idToken: 'i',
    challengeName: null,
    userId: someTokens().userId,
    session: null,
    expiresIn: 900,
    expireDate: null,
  })

  it('ends the session when the access token has ended [4.12, 8.06]', async () => {
    jest.setSystemTime(start + 16 * minute)
    await checkTokens()
    expect(session.get()).toMatchObject({
      tokens: null,
      endedBecause: 'Your session renewal has failed. Please Login again.',
    })
  })

  it('ends nothing where nobody is signed in, and keeps why the last session ended [4.12]', async () => {
    const { made } = serve([renewed], '/api')
    await session.end('because')
    await checkTokens()
    expect(session.get()).toMatchObject({ tokens: null, endedBecause: 'because' })
    expect(made.filter(({ endpoint }) => endpoint === account.renewToken)).toEqual([])
  })

  it('leaves a token alone that has more than 3 minutes left [4.12, 9.06]', async () => {
    const { made } = serve([renewed], '/api')
    jest.setSystemTime(start + 11 * minute)
    await checkTokens()
    expect(made).toEqual([])
  })

  it('renews with 3 minutes or less left, with the refresh token, keeping the session id [4.12, 7.06]', async () => {
    const { made } = serve([renewed], '/api')
    jest.setSystemTime(start + 12 * minute)
    await checkTokens()
    expect(made.map(({ input }) => input)).toEqual([{ clientId: 'dmp-web', refreshToken: 'a-refresh-token' }])
    expect(session.get().tokens).toMatchObject({
      accessToken: 'renewed',
      refreshToken: 'next',
      sessionId: someTokens().sessionId,
    })
  })

  it('takes over what another tab renewed instead of ending or renewing again [4.12, P08, P28]', async () => {
    const { made } = serve([renewed], '/api')
    jest.setSystemTime(start + 16 * minute)
    localStorage.setItem('authData', JSON.stringify({ ...tokensIn(30 * minute), accessToken: 'theirs' }))
    await checkTokens()
    expect(session.get().tokens?.accessToken).toBe('theirs')
    expect(made).toEqual([])
  })
})
