import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, visitorKeys } from 'oxc-parser'
import { check } from 'recheck'
import { listFiles, lineAt, root, readText } from '../workspace/files.ts'

interface Expression {
  source: string
  flags: string
  where: string
}

interface Syntax {
  type: string
  start: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
  arguments?: { type: string; value?: unknown }[]
}

/** What tests match is their own text, never a stranger's. */
const isTest = /\.test\.tsx?$|^e2e\/|\/testing\//

/** P17: every regular expression of the sources takes linear time, whatever text it meets. */
export async function checkRegularExpressions(): Promise<string[]> {
  const problems: string[] = []
  const found: Expression[] = []
  for (const file of listFiles('.', /\.(ts|tsx|mjs|js)$/).filter((name) => !isTest.test(name))) {
    const text = readText(file)
    if (!/RegExp|\//.test(text)) continue
    for (const node of nodesOf(file, text)) {
      const where = `${file}:${lineAt(text, node.start)}`
      if (node.regex) found.push({ source: node.regex.pattern, flags: node.regex.flags, where })
      if (node.callee?.name === 'RegExp' && (node.type === 'NewExpression' || node.type === 'CallExpression')) {
        const [pattern] = node.arguments ?? []
        if (typeof pattern?.value === 'string') found.push({ source: pattern.value, flags: '', where })
        else if (!file.startsWith('scripts/')) {
          problems.push(
            `${where} makes a regular expression from a value, so nothing can judge it before it runs. Compare text (includes, startsWith), or write the expression out.`,
          )
        }
      }
    }
  }
  return [...problems, ...(await judge(found))]
}

function* nodesOf(file: string, text: string): Generator<Syntax> {
  const waiting: unknown[] = [parseSync(file, text).program]
  while (waiting.length > 0) {
    const node = waiting.pop() as Syntax & Record<string, unknown>
    if (!node || typeof node.type !== 'string') continue
    yield node
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key]
      if (Array.isArray(child)) waiting.push(...child)
      else if (child) waiting.push(child)
    }
  }
}

/** Judging takes seconds and never changes for one expression, so verdicts are kept. */
async function judge(found: Expression[]): Promise<string[]> {
  const store = join(root, '.cache', 'expressions.json')
  const known = readKnown(store)
  const problems: string[] = []
  for (const { source, flags, where } of found) {
    const key = `/${source}/${flags}`
    known[key] ??= await judgeExpression(source, flags)
    if (known[key] !== 'safe') {
      problems.push(`${where} ${key} is not linear: ${known[key]}. Anchor it, bound the repetition or split it in two.`)
    }
  }
  mkdirSync(dirname(store), { recursive: true })
  writeFileSync(store, JSON.stringify(known))
  return problems
}

export async function judgeExpression(source: string, flags: string): Promise<string> {
  const result = await check(source, flags, { timeout: 20_000 })
  if (result.status === 'vulnerable') return `${result.complexity.summary} on ${result.attack.pattern}`
  return result.status === 'safe' ? 'safe' : `no verdict (${result.error.kind})`
}

function readKnown(store: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(store, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
