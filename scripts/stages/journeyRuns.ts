import { runJourneys } from '../journeys/runJourneys.ts'
import type { Choice } from '../workspace/chooseTests.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

type Chosen = (() => Promise<TestTotals>) | undefined

const names = String.raw`(?:accessibility|keyboard|visual)\.e2e\.ts$`
/** Journeys that go through every page, whatever it is for; to Playwright. */
export const pages = `/${names}`
export const exceptPages = `/(?!${names})[^/]+$`

const isOfPages = (file: string): boolean => new RegExp(pages).test(`/${file}`)

/** Of the journeys that a change needs, those of a matter: `@smoke`, also of pages, where nothing has changed. */
export function journeysOf(journeys: Choice['journeys']): Chosen {
  if (journeys === 'all') return () => runJourneys([exceptPages])
  if (journeys === 'smoke') return () => runJourneys(['--grep', '@smoke'])
  return runFiles(journeys.filter((file) => !isOfPages(file)))
}

/** Of the journeys that a change needs, those that go through every page. */
export function pagesOf(journeys: Choice['journeys']): Chosen {
  if (journeys === 'all') return () => runJourneys([pages])
  return journeys === 'smoke' ? undefined : runFiles(journeys.filter(isOfPages))
}

const runFiles = (files: readonly string[]): Chosen =>
  files.length === 0 ? undefined : () => runJourneys(files.map((file) => `/${file}`))
