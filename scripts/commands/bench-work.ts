import { setTimeout as pause } from 'node:timers/promises'
import { openEditedPage } from '../../e2e/bench/editedPage.ts'
import { openBarePage } from '../../e2e/bench/barePage.ts'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { startBareServer, type Tool } from '../bench/bareServers.ts'
import { hotEdits, viewerEdit, type HotEdit } from '../drills/hotEdits.ts'
import { startEditedProduct, type EditedProduct } from '../dev/editedProduct.ts'
import { beginUpload } from '../dev/ongoingUpload.ts'
import { cloneCheckout } from '../dev/clonedCheckout.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { exitOnError, node } from '../workspace/runProcess.ts'

const rounds = 7
const betweenEditsMs = 200
const [only] = process.argv.slice(2)
const benches: Readonly<Record<string, () => Promise<void>>> = {
  edits: measureEdits,
  bare: measureBareServers,
  check: measureCheck,
  start: measureStart,
}

/** `npm run bench:work`: what people wait for who work on this, each by itself: `npm run bench:work -- edits`. */
await exitOnError(async () => {
  if (only !== undefined && !Object.hasOwn(benches, only))
    throw new Error(`There is nothing called "${only}" to measure: ${Object.keys(benches).join(', ')}.`)
  for (const [name, measure] of Object.entries(benches)) if (only === undefined || only === name) await measure()
})

/** From the moment at which a file is written until an open page shows it. */
async function measureEdits(): Promise<void> {
  const product = await startEditedProduct()
  const browser = await openBrowser(await findBrowser())
  try {
    row('npm run dev, three parts, nothing compiled before', `${product.readySeconds.toFixed(1)} s`)
    const page = await openEditedPage(browser, product.url)
    for (const edit of hotEdits) await measureEdit(edit, `edit of ${edit.part}`, product, page)
    const viewer = await page.openViewer()
    const isWithout = () => viewer.shows(viewerEdit.shownBefore)
    await measureEdit(viewerEdit, 'edit of the viewer', product, { shows: viewer.shows, isWithout })
    await viewer.close()
    await measureServer(product)
    await page.close()
  } finally {
    await browser.close()
    await product.stop()
  }
}

/** Until the edited server answers anew, with the session and live channel of the page and an upload that goes on. */
async function measureServer(product: EditedProduct): Promise<void> {
  const upload = await beginUpload(product.url)
  const file = 'server/src/http/health.ts'
  const measured: number[] = []
  const until = async (holds: (text: string) => boolean): Promise<void> => {
    while (!holds(await (await fetch(`${product.url}/healthz`)).text()));
  }
  for (let round = 1; round <= rounds; round += 1) {
    const status = `up for the ${round}th time`
    const began = performance.now()
    product.edit(file, "status: 'up'", `status: '${status}'`)
    await until((text) => text.includes(status))
    measured.push(performance.now() - began)
    product.restore(file)
    await until((text) => !text.includes(status))
  }
  const problems = await upload.end()
  if (problems.length > 0) throw new Error(problems.join('\n'))
  rowOf('edit of the server until it answers anew, an upload beside it: median, most', measured)
}

interface Edited {
  edit(file: string, from: string, to: string): void
  restore(file: string): void
}

interface Shown {
  shows(text: string): Promise<void>
  isWithout(text: string): Promise<void>
}

async function measureEdit({ file, from, to, text }: HotEdit, about: string, sources: Edited, page: Shown) {
  const times: number[] = []
  // The first edit of a part also reads what the last start kept; it counts as the others do.
  for (let round = 1; round <= rounds; round += 1) {
    const [next, shown] = [to, text].map((each) => each.replace('edited', `edited ${round}`)) as [string, string]
    const began = performance.now()
    sources.edit(file, from, next)
    await page.shows(shown)
    times.push(performance.now() - began)
    sources.restore(file)
    await page.isWithout(shown)
    // Nobody types again in the same millisecond; Vite takes two such edits for one.
    await pause(betweenEditsMs)
  }
  rowOf(`${about} until the page shows it: median, most`, times)
}

function rowOf(about: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b)
  row(about, `${Math.round(sorted[Math.floor(rounds / 2)] ?? 0)} ms, ${Math.round(sorted.at(-1) ?? 0)} ms`)
}

/** The same screen and edits under the development servers of others, with nothing of the product around it. */
async function measureBareServers(): Promise<void> {
  for (const tool of ['Vite', 'webpack'] as const satisfies readonly Tool[]) {
    const server = await startBareServer(tool)
    const browser = await openBrowser(await findBrowser())
    try {
      const page = await openBarePage(browser, server.url)
      for (const edit of hotEdits.filter(({ part }) => part === 'remote' || part === 'kit'))
        await measureEdit(edit, `${server.name}: edit of ${edit.part}`, server, page)
    } finally {
      await browser.close()
      await server.stop()
    }
  }
}

async function measureCheck(): Promise<void> {
  const clone = cloneCheckout()
  try {
    await clone.run(['npm', 'run', 'clauses'])
    row('npm run check, for the first time', await clone.run(['npm', 'run', 'check']))
    row('npm run check, nothing changed', await clone.run(['npm', 'run', 'check']))
    // No edit of a text: its translations would be missing.
    clone.edit(
      'remote-complaint/src/add/ComplaintAddScreen.tsx',
      'imageData && JSON.stringify(imageData)',
      'imageData ? JSON.stringify(imageData) : imageData',
    )
    row('npm run check, one file of a remote changed', await clone.run(['npm', 'run', 'check']))
    for (const about of ['nothing compiled before', 'again'])
      row(`npm test -- remote-complaint, ${about}`, await clone.run(['npm', 'test', '--', 'remote-complaint']))
    row('npm run check -- --all', await clone.run(['npm', 'run', 'check', '--', '--all']))
  } finally {
    clone.remove()
  }
}

async function measureStart(): Promise<void> {
  const clone = cloneCheckout()
  try {
    row('fresh clone to the sign-in page: npm start, packages near', await clone.start())
    row('npm start again, nothing changed', await clone.start())
    clone.forgetBuilds()
    row('webpack alone: the host, nothing kept', await clone.run([node, 'shared/build/src/cli.ts', 'host']))
    row('webpack alone: the viewer, nothing kept', await clone.run([node, 'shared/build/src/cli.ts', 'viewer']))
  } finally {
    clone.remove()
  }
}

function row(about: string, value: string): void {
  console.log(`| ${about} | ${value} |`)
}
