import { openEditedPage } from '../../e2e/bench/editedPage.ts'
import { openBrowser } from '../../e2e/bench/measure.ts'
import { hotEdits } from '../drills/hotEdits.ts'
import { startEditedProduct } from '../dev/editedProduct.ts'
import { cloneCheckout } from '../dev/clonedCheckout.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { exitOnError, node } from '../workspace/runProcess.ts'

const rounds = 7
const [only] = process.argv.slice(2)
const benches: Readonly<Record<string, () => Promise<void>>> = {
  edits: measureEdits,
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
    for (const { part, file, from, to, text } of hotEdits) {
      const times: number[] = []
      // The first edit of a part also reads what the last start kept; it counts as the others do.
      for (let round = 1; round <= rounds; round += 1) {
        const [next, shown] = [to, text].map((each) => each.replace('edited', `edited ${round}`)) as [string, string]
        const began = performance.now()
        product.edit(file, from, next)
        await page.shows(shown)
        times.push(performance.now() - began)
        product.restore(file)
        await page.isWithout(shown)
      }
      const sorted = times.toSorted((a, b) => a - b)
      row(
        `edit of ${part} until the page shows it: median, most`,
        `${Math.round(sorted[Math.floor(rounds / 2)] ?? 0)} ms, ${Math.round(sorted.at(-1) ?? 0)} ms`,
      )
    }
    await page.close()
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function measureCheck(): Promise<void> {
  const clone = cloneCheckout()
  try {
    await clone.run(['npm', 'run', 'clauses'])
    row('npm run check, for the first time', await clone.run(['npm', 'run', 'check']))
    row('npm run check, nothing changed', await clone.run(['npm', 'run', 'check']))
    clone.edit(hotEdits[0])
    row('npm run check, one file of a remote changed', await clone.run(['npm', 'run', 'check']))
    row('npm test -- remote-complaint', await clone.run(['npm', 'test', '--', 'remote-complaint']))
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
