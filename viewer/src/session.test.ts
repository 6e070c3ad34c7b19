import { joinSession } from './session.ts'

const minuteMs = 60_000
const lastActive = () => Number(localStorage.getItem('lastActiveTime'))
const signedIn = (activeBeforeMs: number) => {
  localStorage.setItem('authData', '{}')
  localStorage.setItem('lastActiveTime', String(Date.now() - activeBeforeMs))
}
/** As the browser tells it of another tab. */
const hearOf = (key: string | null, newValue: string | null) =>
  dispatchEvent(new StorageEvent('storage', { key, newValue }))

const onEnd = jest.fn()
let leave: () => void
beforeEach(() => {
  localStorage.clear()
  onEnd.mockClear()
  leave = joinSession(onEnd)
})
afterEach(() => leave())

describe('the session, in the viewer', () => {
  it.each(['pointermove', 'pointerdown', 'wheel', 'keydown', 'touchstart'])('goes on by %s [4.13]', (kind) => {
    signedIn(11 * minuteMs)
    document.body.dispatchEvent(new Event(kind))
    expect(Date.now() - lastActive()).toBeLessThan(minuteMs)
  })

  it('is not revived after it has timed out, nor begun where nobody is signed in [4.13, 9.07]', () => {
    signedIn(16 * minuteMs)
    const before = lastActive()
    dispatchEvent(new Event('pointerdown'))
    expect(lastActive()).toBe(before)
    localStorage.clear()
    leave()
    leave = joinSession(onEnd)
    dispatchEvent(new Event('pointerdown'))
    expect(localStorage.getItem('lastActiveTime')).toBeNull()
  })

  it('notes its signs once a second [4.13]', () => {
    jest.useFakeTimers({ now: 1_800_000_000_000 })
    signedIn(0)
    const noted = (afterMs: number) => {
      jest.advanceTimersByTime(afterMs)
      localStorage.setItem('lastActiveTime', String(Date.now() - 1))
      dispatchEvent(new Event('wheel'))
      return lastActive() === Date.now()
    }
    expect([noted(5000), noted(999), noted(1), noted(1), noted(998), noted(1)]).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
    ])
    jest.useRealTimers()
  })

  it('goes on until the minute that it times out in, and not in it [4.13, 9.07]', () => {
    jest.useFakeTimers({ now: 1_800_000_000_000 })
    const goesOn = (activeBeforeMs: number) => {
      jest.advanceTimersByTime(2000)
      signedIn(activeBeforeMs)
      dispatchEvent(new Event('wheel'))
      return lastActive() === Date.now()
    }
    expect([goesOn(15 * minuteMs - 1), goesOn(15 * minuteMs)]).toEqual([true, false])
    jest.useRealTimers()
  })

  it('ends where all that the browser keeps is thrown away [4.08]', () => {
    hearOf(null, null)
    expect(onEnd).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['after the time of the settings', { required: true, idleMinutes: 2, timeoutMinutes: 1 }, 4, false],
    ['within it, however long that is', { required: true, idleMinutes: 50, timeoutMinutes: 10 }, 59, true],
    [
      'ever, where nobody is signed out for being idle',
      { required: false, idleMinutes: 2, timeoutMinutes: 1 },
      600,
      true,
    ],
  ])('is gone on with, or not, %s [4.13]', (_when, idle, minutes, goesOn) => {
    leave()
    document.body.innerHTML = `<script type="application/json" id="dmp-settings">${JSON.stringify({ idle })}</script>`
    leave = joinSession(onEnd)
    document.body.replaceChildren()
    signedIn(minutes * minuteMs)
    const before = lastActive()
    dispatchEvent(new Event('pointerdown'))
    expect(lastActive() > before).toBe(goesOn)
  })

  it('ends with that of the other tabs, and not by a renewal [4.08]', () => {
    hearOf('authData', '{"renewed":true}')
    hearOf('lastActiveTime', null)
    expect(onEnd).not.toHaveBeenCalled()
    hearOf('authData', null)
    expect(onEnd).toHaveBeenCalledTimes(1)
    leave()
    hearOf('authData', null)
    expect(onEnd).toHaveBeenCalledTimes(1)
  })
})
