import { parentPort, workerData } from 'node:worker_threads'
import { openDrawingPage } from './drawingPage.ts'
import { drawnKinds, type DrawnHere, type DrawnKind, type PagesToDraw } from './pageToDraw.ts'

/**
 * Draws pages from the files of releases as pages load them. A thread of its own per language: a page decides its
 * language once, and what runs here changes the thread's globals.
 */
const toDraw = workerData as PagesToDraw
const page = openDrawingPage(toDraw)
const startMs = 10_000

async function whenOffered(): Promise<(path: string) => Promise<string>> {
  const globals = globalThis as { dmpDraw?: (path: string) => Promise<string> }
  for (let waited = 0; waited < startMs; waited += 5) {
    if (globals.dmpDraw) return globals.dmpDraw
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('The host offers no drawing.')
}

async function drawAll(): Promise<DrawnHere> {
  for (const script of toDraw.scripts) if (!page.runScript(script)) throw new Error(`${script} is not there.`)
  const draw = await whenOffered()
  const drawn: Record<string, DrawnHere[string]> = {}
  for (const path of toDraw.paths) {
    try {
      const kinds: [DrawnKind, string][] = []
      for (const kind of drawnKinds) {
        page.show(path, toDraw.settings[kind])
        kinds.push([kind, await draw(path)])
      }
      drawn[path] = Object.fromEntries(kinds) as Record<DrawnKind, string>
    } catch (error) {
      drawn[path] = { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  return drawn
}

// Whoever asked ends the thread: timers of the host would keep it.
parentPort?.postMessage(await drawAll())
