import type { Page } from 'playwright'

export interface Got {
  readonly name: string
  readonly bytes: number
}

/** What the browser says of a file; nothing was transferred of what it had. */
interface Transfer {
  readonly name: string
  readonly transferSize: number
  readonly encodedBodySize: number
}

/** The files of releases that came from the server, and not out of the browser's cache, until none came for a while. */
export async function openUntilRest(page: Page, path: string): Promise<Got[]> {
  await page.goto(path, { waitUntil: 'load' })
  await page.getByRole('table').waitFor()
  let [files, count] = [await listFiles(page), -1]
  while (files.all !== count) {
    count = files.all
    await page.waitForTimeout(restMs)
    files = await listFiles(page)
  }
  return files.got
}

/** Until the browser has all that the page loads, however slow this machine is. */
export async function visitUntilAllIsThere(page: Page, path: string): Promise<void> {
  for (let visits = 0; visits < 10; visits += 1) if ((await openUntilRest(page, path)).length === 0) return
  throw new Error(`${path} asks for the same files again and again.`)
}

/** Ahead of a click a page loads one thing after the other in idle moments. */
const restMs = 5000

const listFiles = (page: Page): Promise<{ all: number; got: Got[] }> =>
  page.evaluate(() => {
    const entries = performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\/releases\/(?:again\/)?[a-z-]+\/[0-9a-f]{16}\//.test(name))
    return {
      all: entries.length,
      got: (entries as unknown as Transfer[])
        .filter(({ transferSize }) => transferSize > 0)
        .map(({ name, encodedBodySize }) => ({
          name: (name.split('/').pop() ?? '').replace(/\.[0-9a-f]{8,20}(?=\.)/, ''),
          bytes: encodedBodySize,
        })),
    }
  })
