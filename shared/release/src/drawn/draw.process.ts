import { openDrawingPage } from './drawingPage.ts'
import { drawnKinds, type DrawnHere, type DrawnKind, type PagesToDraw } from './pageToDraw.ts'

/**
 * Draws pages from the files of releases as pages load them. A process of its own per language: a page decides its
 * language once, what runs here changes the globals, and none of it may read or write a file of the machine, start
 * anything or see a variable (`drawPages.ts`).
 */
const startMs = 10_000

async function whenOffered(): Promise<(path: string) => Promise<string>> {
  const globals = globalThis as { dmpDraw?: (path: string) => Promise<string> }
  for (let waited = 0; waited < startMs; waited += 5) {
    if (globals.dmpDraw) return globals.dmpDraw
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('The host offers no drawing.')
}

async function drawAll(toDraw: PagesToDraw): Promise<DrawnHere> {
  const page = openDrawingPage(toDraw)
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

// What runs here is not ours, and finds `process` wherever Node itself asks it for something. So it has no more than
// answering takes: a signal would open the debugger of whoever asked, and modules of Node the network.
const here = process
const facts = ['arch', 'argv', 'env', 'execArgv', 'platform', 'release', 'version', 'versions']
const kept = [...facts, 'connected', 'emitWarning', 'nextTick', 'send', '_send']
function giveUpRights(): void {
  for (const key of Reflect.ownKeys(here)) if (!kept.includes(String(key))) Reflect.deleteProperty(here, key)
  // Its streams are Node's, and nobody reads what is said here.
  Object.assign(globalThis, {
    console: Object.fromEntries(Object.keys(console).map((name) => [name, () => undefined])),
  })
  for (const name of ['process', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name)
}

// Whoever asked ends the process: timers of the host would keep it.
const tell = (said: { readonly drawn: DrawnHere } | { readonly problem: string }) => here.send?.(said)
here.once('message', (toDraw) => {
  giveUpRights()
  drawAll(toDraw as PagesToDraw).then(
    (drawn) => tell({ drawn }),
    (error: unknown) => tell({ problem: String(error) }),
  )
})
