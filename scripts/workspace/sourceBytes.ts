import { posix } from 'node:path'

/** What a source map (version 3) says of a script, as far as its sources are concerned. */
export interface MapOfScript {
  readonly sources: readonly (string | null)[]
  readonly mappings: string
}

/** How many characters of a script come from each of its sources; what comes from none is the bundler's. */
export function countBySource(script: string, { sources, mappings }: MapOfScript): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (source: string, characters: number): void => {
    if (characters > 0) counts.set(source, (counts.get(source) ?? 0) + characters)
  }
  const lines = script.split('\n')
  let source = 0
  for (const [index, segments] of mappings.split(';').entries()) {
    let from = 0
    let name = bundler
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [columns = 0, sourcesOn] = decode(segment)
      count(name, columns)
      from += columns
      source += sourcesOn ?? 0
      name = sourcesOn === undefined ? bundler : (sources[source] ?? bundler)
    }
    count(name, (lines[index]?.length ?? 0) - from)
  }
  return counts
}

/** A package by its name, a file of ours by its path in the checkout. */
export function toSource(part: string, source: string): string {
  const [, packageName] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return packageName ?? (source.startsWith(bundler) ? bundler : posix.join(part, source))
}

const bundler = 'webpack'
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Numbers in base 64, five bits a digit, the lowest first; the lowest bit of a number is its sign. */
function decode(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let factor = 1
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) * factor
    factor *= 32
    if (digit & 32) continue
    numbers.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2)
    value = 0
    factor = 1
  }
  return numbers
}
