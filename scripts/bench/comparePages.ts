import { median, scenes, type Scene } from '../../e2e/bench/measure.ts'
import { measurePairs, measureRunning, protocols, states } from './pageTimes.ts'
import { ratioOfPairs } from './pairs.ts'
import type { Variant } from './variants.ts'

interface Options {
  readonly executablePath: string
  readonly pairs: number
  /** Words that a series has to have in its name; all are measured where there are none. */
  readonly words: readonly string[]
}

/**
 * Times of the composed product beside its static twin, line by line: medians of all pairs, and the median ratio with
 * its interval of 95 %; then what the main thread did on as many profiled visits, which says processor time whatever
 * else the machine does.
 */
export async function* comparePages(
  variants: readonly Variant[],
  { executablePath, pairs, words }: Options,
): AsyncGenerator<string> {
  const [ours, theirs] = variants
  if (ours === undefined || theirs === undefined) throw new Error('There are two variants to compare.')
  for (const scene of scenes)
    for (const protocol of protocols)
      for (const state of states) {
        const name = `${scene.name}, ${protocol}, ${state}`
        if (!words.every((word) => name.includes(word))) continue
        const visits = await measurePairs([ours, theirs], { scene, protocol, state, executablePath }, pairs)
        yield `\n${name}, ms (medians of ${pairs})`
        yield toLine(
          'first drawing',
          visits.map(([a, b]) => [a.paintedMs, b.paintedMs] as const),
        )
        yield toLine(
          `the ${goalOf(scene)} is there`,
          visits.map(([a, b]) => [a.shownMs, b.shownMs] as const),
        )
        yield toLine(
          'and the page answers',
          visits.map(([a, b]) => [a.ms, b.ms] as const),
        )
      }
  for (const scene of scenes) {
    const name = `${scene.name}, HTTP/2, cold, processor`
    if (!words.every((word) => name.includes(word))) continue
    const where = { scene, protocol: 'HTTP/2', executablePath } as const
    const ran: (readonly [Running, Running])[] = []
    while (ran.length < pairs) {
      const isTurned = ran.length % 2 === 1
      const first = await measureRunning(isTurned ? theirs : ours, where)
      const second = await measureRunning(isTurned ? ours : theirs, where)
      ran.push(isTurned ? [second, first] : [first, second])
    }
    yield `\n${name}: the main thread until the ${goalOf(scene)}, ms (medians of ${pairs}, profiled)`
    yield toLine(
      'all but idle',
      ran.map(([a, b]) => [busyOf(a), busyOf(b)] as const),
    )
    yield* toRunningLines(mediansOf(ran.map(([a]) => a)), mediansOf(ran.map(([, b]) => b)))
  }
}

/** Milliseconds by what ran. */
type Running = ReadonlyMap<string, number>

const busyOf = (running: Running): number =>
  [...running].reduce((sum, [name, ms]) => (name === '(idle)' ? sum : sum + ms), 0)

function mediansOf(all: readonly Running[]): Running {
  const names = new Set(all.flatMap((running) => [...running.keys()]))
  return new Map([...names].map((name) => [name, median(all.map((running) => running.get(name) ?? 0))] as const))
}

const goalOf = (scene: Scene): string => (scene.isSignedIn ? 'first row' : 'form')

const inColumns = (what: string, ours: number, theirs: number): string =>
  `  ${what.padEnd(44)}${String(Math.round(ours)).padStart(8)}${String(Math.round(theirs)).padStart(8)}`

function toLine(what: string, pairs: readonly (readonly [ours: number, theirs: number])[]): string {
  const ratio = ratioOfPairs(pairs)
  const [ours, theirs] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))]
  const [middle, low, high] = [ratio.median, ratio.low, ratio.high].map((value) => value.toFixed(3))
  return `${inColumns(what, ours, theirs)}   ${middle} (${low}–${high})`
}

/** What takes less than this is said together. */
const leastMs = 5

function toRunningLines(ours: Running, theirs: Running): string[] {
  const names = [...new Set([...ours.keys(), ...theirs.keys()])]
  const rows = names.map((name) => ({ name, ours: ours.get(name) ?? 0, theirs: theirs.get(name) ?? 0 }))
  const isLarge = (row: (typeof rows)[number]): boolean => Math.max(row.ours, row.theirs) >= leastMs
  const large = rows.filter(isLarge).sort((a, b) => b.ours - a.ours)
  const rest = rows.filter((row) => !isLarge(row))
  const total = (key: 'ours' | 'theirs'): number => rest.reduce((sum, row) => sum + row[key], 0)
  return [
    ...large.map((row) => inColumns(row.name, row.ours, row.theirs)),
    inColumns(`${rest.length} others`, total('ours'), total('theirs')),
  ]
}
