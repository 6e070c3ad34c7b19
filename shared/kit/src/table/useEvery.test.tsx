import { act, renderHook } from '@testing-library/react'
import { useEvery } from './useEvery.ts'

let sight: DocumentVisibilityState
beforeEach(() => {
  jest.useFakeTimers()
  sight = 'visible'
  jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => sight)
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

const see = (next: DocumentVisibilityState): void =>
  act(() => {
    sight = next
    document.dispatchEvent(new Event('visibilitychange'))
  })
const wait = (ms: number): void => act(() => jest.advanceTimersByTime(ms))

it('asks every so often, in a hidden tab not at all, and at once when somebody comes back to it', () => {
  const ask = jest.fn()
  renderHook(() => useEvery(1000, ask))
  wait(999)
  expect(ask).not.toHaveBeenCalled()
  wait(1001)
  expect(ask).toHaveBeenCalledTimes(2)
  see('hidden')
  wait(10_000)
  expect(ask).toHaveBeenCalledTimes(2)
  see('visible')
  expect(ask).toHaveBeenCalledTimes(3)
})

it('asks what is asked by now, and nothing without an interval or after the screen is gone', () => {
  const [first, second] = [jest.fn(), jest.fn()]
  const { rerender, unmount } = renderHook(({ ms, ask }) => useEvery(ms, ask), {
    initialProps: { ms: 1000 as number | undefined, ask: first },
  })
  rerender({ ms: 1000, ask: second })
  wait(1000)
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1])
  rerender({ ms: undefined, ask: second })
  wait(5000)
  see('visible')
  expect(second).toHaveBeenCalledTimes(1)
  rerender({ ms: 1000, ask: second })
  unmount()
  wait(5000)
  see('visible')
  expect(second).toHaveBeenCalledTimes(1)
})
