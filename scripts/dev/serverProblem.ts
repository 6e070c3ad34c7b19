import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Why a server did not start, for people. */
export interface ServerProblem {
  /** Place, and below it the sentence, as compiling says it; the sentence alone where it names no place. */
  readonly text: string
  /** A source of this checkout is to be mended: the next change is the next attempt. */
  readonly isOfSource: boolean
}

/**
 * What is to be known of a server that ended, by the last that it said.
 *
 * @param said its standard error
 * @param root the checkout's folder
 */
export function toServerProblem(said: string, root: string): ServerProblem {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const sentence = lines.find((line) => /^(?:Uncaught )?[A-Z]\w{0,40}(?: \[\w{1,60}\])?: /.test(line))
  const place = listPlaces(lines, root)[0]
  if (sentence === undefined || place === undefined)
    return { text: lines.slice(-6).join('\n') || 'It said nothing of why.', isOfSource: false }
  return { text: `./${place}\n${sentence}`, isOfSource: true }
}

/** Files of the checkout itself, in the order in which Node names them: where it stopped, then who called. */
function listPlaces(lines: readonly string[], root: string): string[] {
  const named = lines.flatMap((line) => {
    const found = findUrl(line)
    if (found !== undefined) return [found]
    const [, importer] = line.split(' imported from ')
    return importer === undefined ? [] : [importer]
  })
  return named
    .filter((place) => place.startsWith(root + sep) && !place.includes(`${sep}node_modules${sep}`))
    .map((place) => relative(root, place).split(sep).join('/'))
}

/** `file:///work/server/src/a.ts:12:5` of a line, alone or between parentheses, as a path and a position. */
function findUrl(line: string): string | undefined {
  const start = line.indexOf('file://')
  if (start < 0) return undefined
  const text = line.slice(start).trimEnd().replace(/\)$/, '')
  const position = /:\d{1,7}(?::\d{1,7})?$/.exec(text)
  const url = text.slice(0, position?.index)
  return position && URL.canParse(url) ? `${fileURLToPath(url)} ${position[0].slice(1)}` : undefined
}
