import { openBrowser, scenes, visit, type Browser, type Scene } from '../../e2e/bench/measure.ts'
import {
  measureDifference,
  measureDownload,
  measureDownloadAfterChange,
  type DownloadSize,
} from '../bench/downloadSize.ts'
import { measureInteractions } from '../bench/interactions.ts'
import { judgePages } from '../bench/lighthouse.ts'
import { comparePages } from '../bench/comparePages.ts'
import { serveVariant } from '../bench/variantServer.ts'
import { makeVariants, type Variant } from '../bench/variants.ts'
import { findBrowser } from '../journeys/findBrowser.ts'

/**
 * `npm run bench [-- pairs] [words]`: bytes and requests of the composed product beside a static build of the same
 * sources, then times over HTTP/1.1 and HTTP/2, cold and warm, of so many pairs (0: bytes only). Words choose among the
 * series: `HTTP/2 warm` measures what has both in its name. `npm run bench -- lighthouse [runs]`: what Lighthouse says;
 * the exit code says whether its aims are reached.
 */
const options = process.argv.slice(2)
const count = Number(options.find((word) => /^\d+$/.test(word)) ?? Number.NaN)
const words = options.filter((word) => !/^\d+$/.test(word))

if (words.includes('lighthouse')) {
  if (!(await judgePages(Number.isNaN(count) ? 3 : Math.max(1, count)))) process.exitCode = 1
} else if (words.includes('interactions')) {
  const presses = Number.isNaN(count) ? 200 : Math.max(1, count)
  for await (const line of measureInteractions(presses, words.includes('processor') ? 'processor' : 'clock'))
    console.log(line)
} else {
  const { now, afterChange } = await makeVariants()
  const executablePath = await findBrowser()
  const browser = await openBrowser(executablePath)
  try {
    for (const scene of scenes) await compareBytes(browser, scene, now, afterChange)
  } finally {
    await browser.close()
  }
  const pairs = Number.isNaN(count) ? 15 : count
  if (pairs > 0) for await (const line of comparePages(now, { executablePath, pairs, words })) console.log(line)
}

async function compareBytes(
  chrome: Browser,
  scene: Scene,
  now: readonly Variant[],
  afterChange: readonly Variant[],
): Promise<void> {
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
  const [difference = 0, theirDifference = 0] = await Promise.all(
    afterChange.map((variant, index) =>
      measureDifference(now[index] as Variant, variant, scene.path, again[index] ?? []),
    ),
  )
  line('the same with dictionaries', difference, theirDifference)
}

async function visitAll(chrome: Browser, variants: readonly Variant[], scene: Scene): Promise<(readonly string[])[]> {
  const all: (readonly string[])[] = []
  for (const variant of variants) {
    const front = await serveVariant(variant)
    all.push((await visit(chrome, front.url, scene, { isSettling: true })).asked)
    front.stop()
  }
  return all
}

function line(what: string, ours: number, theirs: number): void {
  const number = (value: number): string => value.toLocaleString('en').padStart(12)
  console.log(`  ${what.padEnd(40)}${number(ours)}${number(theirs)}   ${(ours / theirs).toFixed(3)}`)
}
