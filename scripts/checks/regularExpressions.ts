import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check } from 'recheck'
import { lineAt, listFiles, readText, root } from '../workspace/files.ts'
import { walkSyntax } from '../workspace/syntaxTree.ts'

interface Expression {
  source: string
  flags: string
  where: string
}

interface ExpressionNode {
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly value?: unknown }[]
}

/** Tests match their own text, never a stranger's. */
const isTest = /\.test\.tsx?$|^e2e\/|\/testing\//

/** P17: every regular expression of the sources takes linear time on any text. */
export async function checkRegularExpressions(): Promise<string[]> {
  const problems: string[] = []
  const expressions: Expression[] = []
  for (const file of listFiles('.', /\.(ts|tsx|mjs|js)$/).filter((name) => !isTest.test(name))) {
    const text = readText(file)
    if (!/RegExp|\//.test(text)) continue
    for (const { node } of walkSyntax(file, text)) {
      const { regex, callee, arguments: args = [] } = node as ExpressionNode
      const where = `${file}:${lineAt(text, node.start)}`
      if (regex) expressions.push({ source: regex.pattern, flags: regex.flags, where })
      if (callee?.name === 'RegExp' && (node.type === 'NewExpression' || node.type === 'CallExpression')) {
        const [pattern] = args
        if (typeof pattern?.value === 'string') expressions.push({ source: pattern.value, flags: '', where })
        else if (!file.startsWith('scripts/')) {
          problems.push(
            `${where} creates a regular expression from a value, so it cannot be judged before it runs. Compare text (includes, startsWith), or write the expression out.`,
          )
        }
      }
    }
  }
  return [...problems, ...(await judge(expressions))]
}

/** Judging takes seconds and its verdict on one expression never changes, so verdicts are cached. */
async function judge(expressions: readonly Expression[]): Promise<string[]> {
  const store = join(root, '.cache', 'expressions.json')
  const verdicts = readVerdicts(store)
  const problems: string[] = []
  for (const { source, flags, where } of expressions) {
    const key = `/${source}/${flags}`
    verdicts[key] ??= await judgeExpression(source, flags)
    if (verdicts[key] !== 'safe') {
      problems.push(
        `${where} ${key} is not linear: ${verdicts[key]}. Anchor it, bound the repetition or split it in two.`,
      )
    }
  }
  mkdirSync(dirname(store), { recursive: true })
  writeFileSync(store, JSON.stringify(verdicts))
  return problems
}

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
