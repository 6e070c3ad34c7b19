import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles, root } from '../workspace/files.ts'

/** A part of a file that an answer stands on; all of it where left out. */
type Extract = (text: string) => string

/** What every answer stands on, beside the files that its check judges: tools, their settings, and the checks. */
const common = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.base.json',
  'tsconfig.node.json',
  'tsconfig.web.json',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  '.dependency-cruiser.mjs',
]

/**
 * Remembers which checks passed, and on what content. A check whose content is the same passes again without being run;
 * one that failed is always run again. Times of files say nothing.
 */
export class KeptAnswers {
  /** Nothing that was known counts. */
  readonly isWhole: boolean
  readonly #file: string
  readonly #root: string
  readonly #common: string
  readonly #answers: Record<string, string>
  /** As the files were when the run began: one that is edited meanwhile is judged again by the next run. */
  readonly #texts = new Map<string, string>()

  /** @param isWhole forgets what was known: everything is run */
  constructor({ isWhole = false, checkout = root }: { isWhole?: boolean; checkout?: string } = {}) {
    this.isWhole = isWhole
    this.#root = checkout
    this.#file = join(checkout, '.cache/checks.json')
    this.#answers = isWhole ? {} : readAnswers(this.#file)
    if (checkout === root) for (const file of listSources()) this.#read(file)
    const checks = globSync('scripts/{checks,workspace}/**/*.{ts,json}', { cwd: checkout }).sort()
    this.#common = this.keyOf([...common, ...checks], undefined, [process.version, process.platform])
  }

  /** A key for the content of these files, and for which there are. */
  keyOf(files: readonly string[], extract: Extract = (text) => text, also: readonly string[] = []): string {
    const hash = createHash('sha256').update(this.#common ?? '')
    for (const word of also) hash.update(`${word}\n`)
    for (const file of files) hash.update(`\n${file}\n`).update(extract(this.#read(file)))
    return hash.digest('hex')
  }

  #read(file: string): string {
    const path = join(this.#root, file)
    const text = this.#texts.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
    this.#texts.set(file, text)
    return text
  }

  hasPassed(name: string, key: string): boolean {
    return this.#answers[name] === key
  }

  /** Notes the outcome of a run, at once: a run that is ended keeps what it knows. */
  note(name: string, key: string, hasPassed: boolean): void {
    this.noteAll([{ name, key, hasPassed }])
  }

  noteAll(outcomes: readonly { readonly name: string; readonly key: string; readonly hasPassed: boolean }[]): void {
    for (const { name, key, hasPassed } of outcomes)
      if (hasPassed) this.#answers[name] = key
      else delete this.#answers[name]
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(this.#file, JSON.stringify(this.#answers))
  }
}

/**
 * The lines that could name another module: by a string without spaces, beside a word that takes one or alone in its
 * line, as the formatter breaks long calls.
 */
export const importLines: Extract = (text) =>
  text
    .split('\n')
    .filter((line) => /["'`]/.test(line) && (/\b(?:from|import|require|mock|resolve)/i.test(line) || isAlone(line)))
    .join('\n')

const isAlone = (line: string): boolean => /^\s*["'`][^\s"'`]*["'`][,);]*$/.test(line)

/**
 * Runs a check that judges each file by itself on those that have no answer yet, and notes what came of it. What it
 * finds names its file; where it names none, no file counts as judged.
 */
export async function judgeEach(
  answers: KeptAnswers,
  name: string,
  files: readonly string[],
  judge: (files: readonly string[]) => Promise<string[]> | string[],
): Promise<string[]> {
  const open = files
    .map((file) => ({ file, name: `${name} of ${file}`, key: answers.keyOf([file]) }))
    .filter((each) => !answers.hasPassed(each.name, each.key))
  if (open.length === 0) return []
  const problems = await judge(open.map(({ file }) => file))
  const said = problems.join('\n')
  const named = open.filter(({ file }) => said.includes(file))
  const failed = new Set(named.length > 0 || said === '' ? named : open)
  answers.noteAll(open.map((each) => ({ ...each, hasPassed: !failed.has(each) })))
  return problems
}

export const listSources = (): string[] => listFiles('.', /\.(?:ts|tsx|mjs|cjs|js|json)$/)

function readAnswers(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
