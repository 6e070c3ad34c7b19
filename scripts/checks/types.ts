import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { node, runProcess } from '../workspace/runProcess.ts'
import { listFiles, root } from '../workspace/files.ts'
import { listSources, type KeptAnswers } from './keptAnswers.ts'

/** What TypeScript says of one file: `remote-scan/src/App.tsx(12,5): error TS2304: …`. */
export type TypeProblem = string

const lanes = 2

/** The types of every package; of those in which nothing is different since they were right, nothing is asked. */
export async function checkTypes(answers: KeptAnswers): Promise<TypeProblem[]> {
  const queue = listFiles('.', /^tsconfig\.json$/)
  const sources = listSources()
  const problems: TypeProblem[] = []
  const work = async (): Promise<void> => {
    for (let project = queue.shift(); project; project = queue.shift()) {
      const name = `types of ${project}`
      if (answers.hasPassed(name, toKey(answers, project, sources))) continue
      const found = await findTypeProblems(project)
      problems.push(...found)
      answers.note(name, toKey(answers, project, sources), found.length === 0)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return [...new Set(problems)]
}

/** Of the files that the compiler read the content; of all others that they are there: a new one may be found first. */
const toKey = (answers: KeptAnswers, project: string, sources: readonly string[]): string =>
  answers.keyOf(
    [project, ...sources.filter((file) => file.endsWith('package.json')), ...listRead(project)],
    undefined,
    sources,
  )

/** The files outside of packages that the compiler read for the project, by its own record. */
function listRead(project: string): string[] {
  const record = recordOf(project)
  if (!existsSync(record)) return []
  const { fileNames } = JSON.parse(readFileSync(record, 'utf8')) as { fileNames: readonly string[] }
  return fileNames
    .map((file) =>
      relative(root, resolve(dirname(record), file))
        .split(sep)
        .join('/'),
    )
    .filter((file) => !file.startsWith('..') && !file.includes('node_modules/'))
}

const recordOf = (project: string): string =>
  join(root, '.cache/types', `${dirname(project).replaceAll(/[\\/]/g, '-')}.json`)

/**
 * Checks the types of one project. What is still true since the last run is taken from there; the compiler judges that
 * by the content of files.
 *
 * @param project path of a `tsconfig.json` from the root
 */
export async function findTypeProblems(project: string, signal?: AbortSignal): Promise<TypeProblem[]> {
  const record = recordOf(project)
  mkdirSync(dirname(record), { recursive: true })
  const args = ['--noEmit', '-p', project, '--pretty', 'false', '--incremental', '--tsBuildInfoFile', record]
  // Several checkers each work out again what they share; the lanes use the cores with half of the work.
  args.push('--checkers', '1')
  const { code, text } = await runProcess(node, [join(root, 'node_modules/typescript/bin/tsc'), ...args], {
    isQuiet: true,
    ...(signal && { signal }),
  })
  return code === 0 ? [] : text.trimEnd().split('\n')
}
