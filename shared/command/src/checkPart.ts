import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from '@dmp/build/build'
import { workspace, type Part } from '@dmp/build/workspace'
import { findCallsUnansweredBy, openDoor } from '@dmp/release'
import { findDeclarationProblems } from './checkDeclaration.ts'
import { compareTexts } from './checkTexts.ts'

/** One step of a check. */
export interface Step {
  readonly name: string
  readonly passed: boolean
  /** What was seen; empty where there is nothing to say. */
  readonly text: string
  /** Worth knowing, although it passed. */
  readonly note?: string
  readonly milliseconds: number
}

type Outcome = Pick<Step, 'passed' | 'text' | 'note'>

const steps: Readonly<Record<string, (part: Part) => Promise<Outcome>>> = {
  declaration: checkDeclaration,
  texts: ({ folder }) => Promise.resolve(checkTexts(folder)),
  types: (part) => run(part, 'typescript', 'tsc', ['--noEmit', '-p', part.folder]),
  tests: (part) => run(part, 'jest', 'jest', ['--ci', '--passWithNoTests', '--rootDir', part.folder]),
  build: buildPart,
}

/** Runs every step, also after one that failed, and says what each saw. Resolves to whether all passed. */
export async function checkPart(
  part: Part,
  { isJson, to }: { readonly isJson: boolean; readonly to: string | undefined },
): Promise<boolean> {
  const seen: Step[] = []
  const all = to === undefined ? steps : { ...steps, calls: (built: Part) => checkCalls(built, to) }
  for (const [name, check] of Object.entries(all)) {
    const began = performance.now()
    const outcome = await check(part)
    const step = { name, ...outcome, milliseconds: Math.round(performance.now() - began) }
    seen.push(step)
    if (!isJson) console.log(formatStep(step))
  }
  const passed = seen.every((step) => step.passed)
  if (isJson) console.log(JSON.stringify({ part: part.name, ok: passed, steps: seen }))
  return passed
}

const formatStep = ({ name, passed, text, note = '', milliseconds }: Step): string =>
  `${passed ? '✓' : '✗'} ${name} (${(milliseconds / 1000).toFixed(1)} s)${passed || text === '' ? '' : `\n${text}`}${note === '' ? '' : `\n${note}`}`

async function checkDeclaration({ name, folder }: Part): Promise<Outcome> {
  const problems = findDeclarationProblems(folder, name)
  return { passed: problems.length === 0, text: problems.join('\n') }
}

function checkTexts(folder: string): Outcome {
  const { problems, notes } = compareTexts(folder)
  return {
    passed: problems.length === 0,
    text: problems.join('\n'),
    ...(notes.length > 0 && { note: notes.join('\n') }),
  }
}

async function buildPart(part: Part): Promise<Outcome> {
  try {
    await build({ only: [part.name] })
    return { passed: true, text: '' }
  } catch (error) {
    return { passed: false, text: toText(error) }
  }
}

/** Whether the deployment answers the calls that the build makes, by the very code by which it judges them itself. */
async function checkCalls({ name, folder }: Part, to: string): Promise<Outcome> {
  try {
    const made = readFileSync(path.join(folder, 'dist/calls.json'), 'utf8')
    const problems = await findCallsUnansweredBy(openDoor(to), name, made)
    return { passed: problems.length === 0, text: problems.map(({ reason, cure }) => `${reason} ${cure}`).join('\n') }
  } catch (error) {
    return { passed: false, text: toText(error) }
  }
}

/** Runs a tool that the repository has installed; its output is what was seen. */
async function run(part: Part, packageName: string, command: string, args: readonly string[]): Promise<Outcome> {
  const file = findTool(packageName, command)
  if (file === undefined)
    return { passed: false, text: `${packageName} is not installed here. Install it: npm install -D ${packageName}` }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: part.folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.on('error', (error) => resolve({ passed: false, text: error.message }))
    child.on('close', (code) => resolve({ passed: code === 0, text: text.trim() }))
  })
}

function findTool(packageName: string, command: string): string | undefined {
  try {
    const manifest = createRequire(path.join(workspace, 'package.json')).resolve(`${packageName}/package.json`)
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin?: string | Record<string, string> }
    const file = typeof bin === 'string' ? bin : bin?.[command]
    const tool = file === undefined ? undefined : path.join(path.dirname(manifest), file)
    return tool !== undefined && existsSync(tool) ? tool : undefined
  } catch {
    return undefined
  }
}

const toText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
