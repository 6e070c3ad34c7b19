import { someSettings } from '@dmp/contract/examples'
import { startInterval } from './startInterval.ts'

describe('a duty now and then', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('pings every 600 seconds unless it is told otherwise, until it is stopped [7.43]', () => {
    const ping = jest.fn()
    const stop = startInterval(someSettings({}).pingSeconds, ping)
    jest.advanceTimersByTime(599_999)
    expect(ping).not.toHaveBeenCalled()
    jest.advanceTimersByTime(1)
    expect(ping).toHaveBeenCalledTimes(1)
    jest.advanceTimersByTime(1_200_000)
    expect(ping).toHaveBeenCalledTimes(3)
    stop()
    jest.advanceTimersByTime(1_200_000)
    expect(ping).toHaveBeenCalledTimes(3)
  })

  it('comes twenty times a second at most, though it is told to leave no time in between', () => {
    const duty = jest.fn()
    const stop = startInterval(0, duty)
    jest.advanceTimersByTime(49)
    expect(duty).not.toHaveBeenCalled()
    jest.advanceTimersByTime(951)
    expect(duty).toHaveBeenCalledTimes(20)
    stop()
  })

  it('waits with what it missed until the page is looked at [P28]', () => {
    const duty = jest.fn()
    const stop = startInterval(60, duty)
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(duty).not.toHaveBeenCalled()
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    expect(duty).toHaveBeenCalledTimes(1)
    hidden.mockRestore()
    stop()
  })

  it('makes up at once for what it missed without a line [P28]', () => {
    const duty = jest.fn()
    const stop = startInterval(60, duty)
    window.dispatchEvent(new Event('online'))
    expect(duty).toHaveBeenCalledTimes(1)
    stop()
    window.dispatchEvent(new Event('online'))
    expect(duty).toHaveBeenCalledTimes(1)
  })
})
