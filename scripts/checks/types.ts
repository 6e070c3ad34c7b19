import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { node, runProcess } from '../workspace/runProcess.ts'
import { listFiles, readText, root } from '../workspace/files.ts'
import { listSources, type KeptAnswers } from './keptAnswers.ts'

/** What TypeScript says of one file: `remote-scan/src/App.tsx(12,5): error TS2304: …`. */
export type TypeProblem = string

const lanes = 2

/** Projects with the same settings. */
export interface TypeGroup {
  readonly name: string
  readonly projects: readonly string[]
}

/**
 * The types of every package; where nothing is different since they were right, nothing is asked. Projects with the
 * same settings are checked as one program, so that what they share is read and worked out once; a whole check takes
 * each by itself, as editors do, so that CI says where the two do not agree.
 */
export async function checkTypes(answers: KeptAnswers): Promise<TypeProblem[]> {
  const projects = listFiles('.', /^tsconfig\.json$/)
  const sources = listSources()
  const queue = answers.isWhole
    ? projects.map((project) => ({ name: project, projects: [project] }))
    : toGroups(projects)
  const problems: TypeProblem[] = []
  const work = async (): Promise<void> => {
    for (let group = queue.shift(); group; group = queue.shift()) {
      const name = `types of ${group.name}`
      const key = (): string => toKey(answers, group, sources)
      if (answers.hasPassed(name, key())) continue
      const found = await findTypeProblems(writeProject(group))
      problems.push(...found)
      answers.note(name, key(), found.length === 0)
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return [...new Set(problems)]
}

interface Settings {
  readonly extends?: string
  readonly compilerOptions?: unknown
  readonly files?: readonly string[]
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

const readSettings = (project: string): Settings => JSON.parse(readText(project)) as Settings

/** What the settings of a project are, wherever it lies. */
const toSettingsKey = (project: string, { extends: base = '', compilerOptions, files }: Settings): string =>
  JSON.stringify([join(dirname(project), base), compilerOptions, files?.map((file) => join(dirname(project), file))])

/** The largest group first: it takes longest. */
export function toGroups(projects: readonly string[], read: (project: string) => Settings = readSettings): TypeGroup[] {
  const groups = [...Map.groupBy(projects, (project) => toSettingsKey(project, read(project))).values()]
  return groups
    .toSorted((a, b) => b.length - a.length)
    .map((group) => ({
      name: group.length === 1 ? (group[0] ?? '') : `${group[0]} and ${group.length - 1} more`,
      projects: group,
    }))
}

const pathOf = ({ projects: [first = '', ...others] }: TypeGroup): string =>
  others.length === 0 ? first : `.cache/types/${dirname(first).replaceAll(/[\\/]/g, '-')}-and-others/tsconfig.json`

/** A project for all of a group, unless it is one already. */
function writeProject(group: TypeGroup): string {
  const file = pathOf(group)
  if (group.projects.length > 1) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), JSON.stringify(joinSettings(group.projects, dirname(file))))
  }
  return file
}

/** One project's settings with the files of all, by paths from a folder. */
export function joinSettings(
  projects: readonly string[],
  folder: string,
  read: (project: string) => Settings = readSettings,
): Settings {
  const toPaths = (project: string, paths: readonly string[] = []): string[] =>
    paths.map((path) =>
      relative(folder, join(dirname(project), path))
        .split(sep)
        .join('/'),
    )
  const first = projects[0] ?? ''
  const { extends: base, compilerOptions, files } = read(first)
  return {
    ...(base === undefined ? {} : { extends: toPaths(first, [base]).join() }),
    compilerOptions,
    ...(files && { files: toPaths(first, files) }),
    include: projects.flatMap((project) => toPaths(project, read(project).include)),
    exclude: projects.flatMap((project) => toPaths(project, read(project).exclude)),
  }
}

/** Of the files that the compiler read the content; of all others that they are there: a new one may be found first. */
const toKey = (answers: KeptAnswers, group: TypeGroup, sources: readonly string[]): string =>
  answers.keyOf(
    [...group.projects, ...sources.filter((file) => file.endsWith('package.json')), ...listRead(pathOf(group))],
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

/** Collecting what it no longer needs takes the compiler a fifth of its time and saves a fifth of its memory. */
const quickCompiler = { GOGC: 'off', GOMEMLIMIT: '2GiB' }

const recordOf = (project: string): string =>
  join(root, '.cache/types', `${dirname(project).replaceAll(/[\\/]/g, '-')}.json`)

/**
 * Checks the types of one project. What is still true since the last run is taken from there; the compiler judges that
 * by the content of files.
 *
 * @param project path of a `tsconfig.json` from the root
 * @param signal of who watches: the server that starts anew comes first
 */
export async function findTypeProblems(project: string, signal?: AbortSignal): Promise<TypeProblem[]> {
  const record = recordOf(project)
  mkdirSync(dirname(record), { recursive: true })
  const args = ['--noEmit', '-p', project, '--pretty', 'false', '--incremental', '--tsBuildInfoFile', record]
  // Several checkers each work out again what they share; the lanes use the cores with half of the work.
  args.push('--checkers', '1')
  const { code, text } = await runProcess(node, [join(root, 'node_modules/typescript/bin/tsc'), ...args], {
    isQuiet: true,
    env: quickCompiler,
    ...(signal && { signal, isPatient: true }),
  })
  return code === 0 ? [] : text.trimEnd().split('\n')
}
