import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from 'playwright/test'
import { expect } from 'playwright/test'

const modifiers = ['Alt', 'Control', 'Meta', 'Shift']

/** What a person presses in the pages of a browser: buttons of the mouse, and keys; typing into fields is no press. */
export interface Presses {
  /** Counts from here on. */
  begin(): void
  /** Compares with the table of the twelve tasks; `each`: how many things it was done to at once. */
  expectTask(task: string, each?: number): Promise<void>
}

/** The browser itself counts, so that no press is forgotten. */
export async function countPresses(context: BrowserContext): Promise<Presses> {
  let count = 0
  await context.exposeBinding('countPress', () => {
    count += 1
  })
  await context.addInitScript((ignored) => {
    const tell = () => void (window as unknown as { countPress: () => Promise<void> }).countPress()
    const isTrusted = (event: Event) => event.isTrusted
    // Not at the window: there Playwright takes back a press whose target moved away under it, and presses again.
    document.addEventListener('pointerdown', (event) => isTrusted(event) && tell(), true)
    document.addEventListener(
      'keydown',
      (event) => isTrusted(event) && !event.repeat && !ignored.includes(event.key) && tell(),
      true,
    )
  }, modifiers)
  return {
    begin() {
      count = 0
    },
    async expectTask(task, each = 0) {
      const said = readPresses().get(task)
      expect(said, `${task} stands in docs/screens.md`).toBeDefined()
      const most = (said ?? 0) + each
      await expect.poll(() => count, { message: `presses to ${task}, as docs/screens.md says` }).toBe(most)
    },
  }
}

/** The table of the twelve tasks in docs/screens.md: what it is, from where, presses. */
function readPresses(): Map<string, number> {
  const text = readFileSync(fileURLToPath(new URL('../../docs/screens.md', import.meta.url)), 'utf8')
  const rows = text.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+)[^|]* \|/gm)
  return new Map([...rows].map(([, task = '', presses]) => [task, Number(presses)]))
}
