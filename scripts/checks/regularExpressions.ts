import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check } from 'recheck'
import { lineAt, listFiles, readJson, readText, root } from '../workspace/files.ts'
import { walkSyntax } from '../../shared/build/src/syntaxTree.ts'
import type { KeptAnswers } from './keptAnswers.ts'

interface Expression {
  source: string
  flags: string
  where: string
  key: string
}

interface ExpressionNode {
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly value?: unknown }[]
}

/** Tests match their own text, never a stranger's. */
const isTest = /\.test\.tsx?$|^e2e\/|\/testing\//

/**
 * P17: every regular expression of the sources takes linear time on any text. Files that are as they were when that was
 * so are not read again.
 */
export async function checkRegularExpressions(
  answers: KeptAnswers,
  { isFixing = false }: { readonly isFixing?: boolean } = {},
): Promise<string[]> {
  const sources = listFiles('.', /\.(ts|tsx|mjs|js)$/)
    .filter((name) => !isTest.test(name))
    .map((file) => ({ file, name: `regular expressions of ${file}`, key: answers.keyOf([file]) }))
    .filter(({ name, key }) => isFixing || !answers.hasPassed(name, key))
  const found = sources.map(({ file }) => findExpressions(file))
  const verdicts = await judge(
    found.flatMap(({ expressions }) => expressions),
    answers,
  )
  if (isFixing) keepSafe(verdicts, found)
  const problems = found.map(({ expressions, unknown }) => [
    ...unknown,
    ...expressions
      .filter(({ key }) => verdicts[key] !== 'safe')
      .map(({ key, where }) => toProblem(key, where, verdicts)),
  ])
  answers.noteAll(sources.map(({ name, key }, index) => ({ name, key, hasPassed: problems[index]?.length === 0 })))
  return problems.flat()
}

/** As the formatter writes them, with what may stand before; most files have none and need not be read as code. */
const mayHold = /RegExp|[\s([{!;,=:?&|]\/[^/*>]/

interface Found {
  readonly expressions: readonly Expression[]
  /** What nobody can judge. */
  readonly unknown: readonly string[]
}

function findExpressions(file: string): Found {
  const text = readText(file)
  const expressions: Expression[] = []
  const unknown: string[] = []
  const add = (source: string, flags: string, where: string) =>
    expressions.push({ source, flags, where, key: `/${source}/${flags}` })
  if (!mayHold.test(text)) return { expressions, unknown }
  for (const { node } of walkSyntax(file, text)) {
    const { regex, callee, arguments: args = [] } = node as ExpressionNode
    const isMade = callee?.name === 'RegExp' && (node.type === 'NewExpression' || node.type === 'CallExpression')
    if (!regex && !isMade) continue
    const where = `${file}:${lineAt(text, node.start)}`
    if (regex) add(regex.pattern, regex.flags, where)
    else if (typeof args[0]?.value === 'string') add(args[0].value, '', where)
    else if (!file.startsWith('scripts/'))
      unknown.push(
        `${where} creates a regular expression from a value, so it cannot be judged before it runs. Compare text (includes, startsWith), or write the expression out.`,
      )
  }
  return { expressions, unknown }
}

const toProblem = (key: string, where: string, verdicts: Verdicts): string =>
  `${where} ${key} is not linear: ${verdicts[key]}. Anchor it, bound the repetition or split it in two.`

type Verdicts = Record<string, string>

const cache = join(root, '.cache', 'expressions.json')
/** Safe expressions of this repository, so that nobody's first check judges them; CI judges all of them itself. */
const committed = join(root, 'scripts/checks/safeExpressions.json')

/** Judging takes seconds and its verdict on one expression never changes, so verdicts are kept. */
async function judge(expressions: readonly Expression[], { isWhole }: KeptAnswers): Promise<Verdicts> {
  const known: Verdicts = isWhole ? {} : readCommitted()
  const judged = readVerdicts(cache)
  for (const { source, flags, key } of expressions)
    if (known[key] === undefined) judged[key] ??= await judgeExpression(source, flags)
  mkdirSync(dirname(cache), { recursive: true })
  writeFileSync(cache, JSON.stringify(judged))
  return { ...known, ...judged }
}

function readCommitted(): Verdicts {
  const { judge: judgedBy, safe } = JSON.parse(readFileSync(committed, 'utf8')) as { judge: string; safe: string[] }
  return judgedBy === judgeVersion() ? Object.fromEntries(safe.map((key) => [key, 'safe'])) : {}
}

function keepSafe(verdicts: Verdicts, found: readonly Found[]): void {
  const keys = new Set(found.flatMap(({ expressions }) => expressions.map(({ key }) => key)))
  const safe = [...keys].filter((key) => verdicts[key] === 'safe').sort()
  writeFileSync(committed, `${JSON.stringify({ judge: judgeVersion(), safe }, null, 2)}\n`)
}

const judgeVersion = (): string =>
  `recheck ${(readJson('package.json') as { devDependencies: Record<string, string> }).devDependencies['recheck']}`

export async function judgeExpression(source: string, flags: string): Promise<string> {
  const result = await check(source, flags, { timeout: 20_000 })
  if (result.status === 'vulnerable') return `${result.complexity.summary} on ${result.attack.pattern}`
  return result.status === 'safe' ? 'safe' : `no verdict (${result.error.kind})`
}

function readVerdicts(store: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(store, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
