import { act } from '@testing-library/react'

/**
 * Looks that a screen asks again by itself once within so many ms, not at all while nobody sees the page, and at once
 * when somebody comes back to it. Under fake timers that advance by themselves.
 *
 * @param asked how often it has asked by now
 */
export async function expectAskedEvery(ms: number, asked: () => number): Promise<void> {
  const before = asked()
  await act(() => jest.advanceTimersByTimeAsync(ms))
  expect(asked()).toBe(before + 1)
  const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await act(() => jest.advanceTimersByTimeAsync(5 * ms))
  expect(asked()).toBe(before + 1)
  sight.mockRestore()
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    await jest.advanceTimersByTimeAsync(100)
  })
  expect(asked()).toBe(before + 2)
}
