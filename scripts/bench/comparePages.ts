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
 * its interval of 95 %; then what the main thread did on one cold visit to each.
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
          `time to the ${goalOf(scene)}`,
          visits.map(([a, b]) => [a.ms, b.ms] as const),
        )
      }
  for (const scene of scenes) {
    const where = { scene, protocol: 'HTTP/2', executablePath } as const
    yield `\n${scene.name}: the main thread until then, HTTP/2, cold, ms, profiled`
    yield* toRunningLines(await measureRunning(ours, where), await measureRunning(theirs, where))
  }
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

function toRunningLines(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): string[] {
  const names = [...new Set([...ours.keys(), ...theirs.keys()])]
  const rows = names.map((name) => ({ name, ours: ours.get(name) ?? 0, theirs: theirs.get(name) ?? 0 }))
  const isLarge = (row: (typeof rows)[number]): boolean => Math.max(row.ours, row.theirs) >= leastMs
  const large = rows.filter(isLarge).sort((a, b) => b.ours - a.ours)
  const busy = rows.filter(({ name }) => name !== '(idle)')
  const rest = rows.filter((row) => !isLarge(row))
  const total = (of: typeof rows, key: 'ours' | 'theirs'): number => of.reduce((sum, row) => sum + row[key], 0)
  return [
    inColumns('all but idle', total(busy, 'ours'), total(busy, 'theirs')),
    ...large.map((row) => inColumns(row.name, row.ours, row.theirs)),
    inColumns(`${rest.length} others`, total(rest, 'ours'), total(rest, 'theirs')),
  ]
}
