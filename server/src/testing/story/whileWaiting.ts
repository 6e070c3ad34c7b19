import { setTimeout as pause } from 'node:timers/promises'
import type { TestServer } from '../server.ts'

/** Does something once a page waits for news, and returns what the page then gets. */
export async function whileWaiting<T>(
  { deps: { newsWaits } }: TestServer,
  wait: () => Promise<T>,
  act: () => Promise<unknown>,
): Promise<T> {
  const begun = jest.spyOn(newsWaits, 'begin')
  try {
    const answer = wait()
    while (begun.mock.results.length === 0) await pause(5)
    await act()
    return await answer
  } finally {
    begun.mockRestore()
  }
}
