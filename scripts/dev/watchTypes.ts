import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findTypeProblems } from '../checks/types.ts'
import { listFiles, root } from '../workspace/files.ts'
import { watchSources } from './watchSources.ts'

/** Packages whose types others see. */
const seenBy: Readonly<Record<string, RegExp>> = {
  'shared/contract': /^(?:host|remote-|server|shared\/kit)/,
  'shared/kit': /^(?:host|remote-)/,
  'shared/dicom': /^(?:server|remote-scan|viewer|uploader)/,
}

const settleMs = 50

/**
 * Checks the types of what is edited, in the background: compiling does not, because it takes file by file. Tells all
 * problems that there are, with file, line and sentence, whenever they change.
 *
 * @param isSettled resolves when what was edited is compiled
 */
export function watchTypes(tell: (problems: readonly string[]) => void, isSettled: () => Promise<void>): void {
  const projects = listFiles('.', /^tsconfig\.json$/).map((file) => dirname(file))
  const note = keepChecking(projects, tell, async (project, signal) => {
    // What was edited is on the page first.
    await isSettled()
    return signal.aborted ? [] : findTypeProblems(join(project, 'tsconfig.json'), signal)
  })
  for (const project of projects) {
    const folder = join(root, project, 'src')
    if (existsSync(folder))
      watchSources(folder, (file) => {
        if (/\.tsx?$/.test(file)) note(project)
      })
  }
  // The first look at a project takes ten times as long as the next one, and the server's is the longest: it is over
  // before anybody edits the server.
  note('server')
}

/** What is not used yet is a step on the way, such as an import before its first use: it does not cover the page. */
export const withoutUnused = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !/\berror TS(?:6133|6192|6196|6198):/.test(problem))

/** Returns what is to be called when sources of a project have changed. */
export function keepChecking(
  projects: readonly string[],
  tell: (problems: readonly string[]) => void,
  find: (project: string, signal: AbortSignal) => Promise<readonly string[]>,
): (project: string) => void {
  const found = new Map<string, readonly string[]>()
  let waiting = new Set<string>()
  let running = new AbortController()
  process.once('exit', () => running.abort())
  let timer: NodeJS.Timeout | undefined
  let told = ''

  const check = async (): Promise<void> => {
    const { signal } = (running = new AbortController())
    for (const project of waiting) {
      const problems = await find(project, signal)
      if (signal.aborted) return
      waiting.delete(project)
      found.set(project, problems.map(toSentence))
      const all = [...new Set([...found.values()].flat())]
      if (all.join('\n') !== told) tell(all)
      told = all.join('\n')
    }
  }
  return (project) => {
    const dependents = projects.filter((other) => seenBy[project]?.test(other))
    // What was edited comes first.
    waiting = new Set([project, ...waiting, ...dependents])
    // What is found from here on may be of sources that are gone.
    running.abort()
    clearTimeout(timer)
    timer = setTimeout(() => void check(), settleMs)
  }
}

/** In the order in which compiling says it: the place, and below it the sentence. */
export function toSentence(problem: string): string {
  const [place = '', ...rest] = problem.split('): ')
  const [file = '', position] = place.split('(')
  return position === undefined ? problem : `./${file} ${position.replace(',', ':')}\n${rest.join('): ')}`
}
