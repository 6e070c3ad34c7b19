import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { categories, judge, type Category } from '../../e2e/bench/lighthouse.ts'
import { findBrowser } from '../journeys/findBrowser.ts'
import { freePort, startDemoServer } from '../journeys/demoServer.ts'

const aims: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 100 }

/** Lighthouse on the product at BASE_URL, else on one of its own; returns whether every aim is reached. */
export async function judgePages(runs: number): Promise<boolean> {
  const product = process.env.BASE_URL ? undefined : await startDemoServer()
  const profile = mkdtempSync(join(tmpdir(), 'dmp-lighthouse-'))
  let isReached = true
  console.log(
    `\nLighthouse, desktop, signed in, medians of ${runs}`.padEnd(60) +
      categories.map((category) => category.padStart(16)).join(''),
  )
  try {
    const options = {
      url: process.env.BASE_URL ?? product?.url ?? '',
      executablePath: await findBrowser(),
      port: await freePort(),
      profile,
      runs,
    }
    for await (const { name, scores, faults } of judge(options)) {
      console.log(`  ${name.padEnd(57)}${categories.map((category) => String(scores[category]).padStart(16)).join('')}`)
      if (categories.every((category) => scores[category] >= aims[category])) continue
      isReached = false
      for (const fault of faults) console.log(`      ${fault}`)
    }
  } finally {
    await product?.stop()
    rmSync(profile, { recursive: true, force: true })
  }
  return isReached
}
