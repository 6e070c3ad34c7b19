import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Count } from '../count.ts'
import { heading, run } from '../stage.ts'
import { filesOf, remotes, root } from '../tree.ts'
import { decisions } from './decisions.ts'
import { expressions } from './expressions.ts'
import { operations } from './operations.ts'
import { shape } from './shape.ts'
import { sources } from './sources.ts'

interface Check {
  name: string
  /** What is wrong, each with its cure; nothing when all is well. */
  problems: (options: { isFixing?: boolean }) => Promise<string[]> | string[]
}

const tool = (name: string) => join(root, 'node_modules', '.bin', name)

const checks: Check[] = [
  { name: 'layout: oxfmt', problems: layout },
  { name: 'types: TypeScript over every package', problems: types },
  {
    name: 'lint: oxlint',
    problems: () => tell(tool('oxlint'), ['--deny-warnings', '--report-unused-disable-directives']),
  },
  {
    name: 'who may import whom: dependency-cruiser',
    problems: () =>
      tell(tool('depcruise'), [
        '-c',
        '.dependency-cruiser.mjs',
        '-T',
        'err-long',
        'shared',
        'host',
        ...remotes(),
        'server',
        'viewer',
        'uploader',
        'e2e',
        'scripts',
      ]),
  },
  { name: 'shape: every remote has the same rooms', problems: shape },
  { name: 'sources: no secret, no foreign host, nothing left behind', problems: sources },
  { name: 'docs/operations.md has the settings that the server reads', problems: operations },
  { name: 'docs: every decision has number, date and status, every link leads somewhere', problems: decisions },
  { name: 'regular expressions are linear [P17]', problems: expressions },
]

/** Runs every check, says what is wrong and where it should go instead. */
export async function checkAll(options: { isFixing?: boolean } = {}): Promise<Count> {
  heading('check')
  const count = { passed: 0, failed: 0 }
  for (const { name, problems } of checks) {
    const began = performance.now()
    const found = await problems(options)
    const time = `${((performance.now() - began) / 1000).toFixed(1)} s`
    console.log(`${found.length === 0 ? '  ✓' : '  ✗'} ${name} (${time})`)
    for (const problem of found) console.log(problem.includes('\n') ? problem : `      ${problem}`)
    count[found.length === 0 ? 'passed' : 'failed'] += 1
  }
  return count
}

/** Lists what `npm run check -- --fix` would lay out anew; with it, does so. */
async function layout({ isFixing }: { isFixing?: boolean }): Promise<string[]> {
  if (isFixing) return tell(tool('oxfmt'), ['--write', '.'])
  const { code, text } = await run(tool('oxfmt'), ['--list-different', '.'], { quiet: true })
  if (code === 0) return []
  return text
    .split('\n')
    .filter(Boolean)
    .map((file) => `${file} is not formatted: npm run check -- --fix`)
}

async function tell(command: string, args: string[]): Promise<string[]> {
  const { code, text } = await run(command, args, {
    quiet: true,
    env: { FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  })
  return code === 0 ? [] : [text.trimEnd()]
}

async function types(): Promise<string[]> {
  const projects = filesOf('.', /^tsconfig\.json$/).filter((file) => existsSync(join(root, file)))
  const waiting = [...projects]
  const problems: string[] = []
  const work = async () => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      const { code, text } = await run(tool('tsc'), ['--noEmit', '-p', project, '--pretty', 'false'], { quiet: true })
      if (code !== 0) problems.push(text.trimEnd())
    }
  }
  await Promise.all([work(), work()])
  return [...new Set(problems.flatMap((text) => text.split('\n')))]
}
