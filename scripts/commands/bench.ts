import { serveVariant } from '../bench/variantServer.ts'
import { median, openBrowser, scenes, visit, type Browser, type Scene } from '../../e2e/bench/measure.ts'
import { judgePages } from '../bench/lighthouse.ts'
import { makeVariants, type Variant } from '../bench/variants.ts'
import { measureDownload, measureDownloadAfterChange, type DownloadSize } from '../bench/downloadSize.ts'
import { findBrowser } from '../journeys/findBrowser.ts'

/**
 * `npm run bench [-- runs]` (0: bytes only): bytes, requests and times of the composed product beside a static build of
 * the same sources, then what Lighthouse says of it. `npm run bench -- lighthouse [runs]`: only that; the exit code
 * says whether its aims are reached.
 */
const options = process.argv.slice(2)
const isLighthouseOnly = options.includes('lighthouse')
const runs = Math.max(0, Number(options.find((word) => /^\d+$/.test(word)) ?? (isLighthouseOnly ? 3 : 7)))

const { now, afterChange } = isLighthouseOnly ? { now: [], afterChange: [] } : await makeVariants()
if (!isLighthouseOnly) {
  const browser = await openBrowser(await findBrowser())
  try {
    for (const scene of scenes) await compare(browser, scene)
  } finally {
    await browser.close()
  }
}
if (runs > 0 && !(await judgePages(Math.min(runs, 5)))) process.exitCode = 1

async function compare(chrome: Browser, scene: Scene): Promise<void> {
  const requestedPaths = await visitAll(chrome, now, scene)
  const again = await visitAll(chrome, afterChange, scene)
  const [ours, theirs] = now.map((variant, index) =>
    measureDownload(variant, scene.path, requestedPaths[index] ?? []),
  ) as [DownloadSize, DownloadSize]
  const [oursAgain, theirsAgain] = afterChange.map((variant, index) =>
    measureDownloadAfterChange(now[index] as Variant, variant, scene.path, again[index] ?? []),
  ) as [DownloadSize, DownloadSize]
  console.log(`\n${scene.name} (${scene.path})              federated      static   ratio`)
  if (process.env.BENCH_FILES) console.log(requestedPaths.map((paths) => paths.join('\n')).join('\n\n'))
  for (const key of ['requests', 'raw', 'gzip', 'brotli'] as const) line(`cold, ${key}`, ours[key], theirs[key])
  for (const key of ['requests', 'brotli'] as const)
    line(`after one changed line, ${key}`, oursAgain[key], theirsAgain[key])
  if (runs > 0) await measureScene(chrome, scene)
}

async function measureScene(chrome: Browser, scene: Scene): Promise<void> {
  const times = await race(chrome, scene)
  line(
    `time to ${scene.isSignedIn ? 'first row' : 'form'}, ms (median of ${runs})`,
    Math.round(median(times[0] ?? [])),
    Math.round(median(times[1] ?? [])),
  )
  console.log(`  runs: ${times.map((values) => values.map(Math.round).join(' ')).join(' | ')}`)
}

async function visitAll(chrome: Browser, variants: readonly Variant[], scene: Scene): Promise<(readonly string[])[]> {
  const all: (readonly string[])[] = []
  for (const variant of variants) {
    const front = await serveVariant(variant)
    all.push((await visit(chrome, front.url, scene, false)).asked)
    front.stop()
  }
  return all
}

/**
 * Cold visits in turn, first to one, then to the other, so that what the machine does meanwhile meets both; the first
 * round is not counted.
 */
async function race(chrome: Browser, scene: Scene): Promise<number[][]> {
  const fronts = await Promise.all(now.map(serveVariant))
  const times: number[][] = fronts.map(() => [])
  for (let round = 0; round <= runs; round += 1) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0]
    for (const index of order) {
      const { ms } = await visit(chrome, fronts[index]?.url ?? '', scene, true)
      if (round > 0) times[index]?.push(ms)
    }
  }
  fronts.forEach((front) => front.stop())
  return times
}

function line(what: string, ours: number, theirs: number): void {
  const number = (value: number): string => value.toLocaleString('en').padStart(12)
  console.log(`  ${what.padEnd(40)}${number(ours)}${number(theirs)}   ${(ours / theirs).toFixed(3)}`)
}
