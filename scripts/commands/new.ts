import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pnpm } from '../install.mjs'
import { createRemoteFiles } from '../workspace/newRemote.ts'
import { packPackages } from '../workspace/packages.ts'
import { createStandaloneFiles } from '../workspace/standaloneRemote.ts'
import { exitOnError } from '../workspace/runProcess.ts'
import { root, writeFiles } from '../workspace/files.ts'

const help = `npm run new -- remote-audit                           a remote in this repository
npm run new -- remote-audit --standalone ../somewhere  a repository of its own, for a team without this one`

/**
 * `npm run new -- remote-audit`: a remote in the shape that all have, with its test. Publishing it makes it appear; the
 * host does not change.
 */
async function createRemote(): Promise<void> {
  const line = parse()
  const problem = typeof line === 'string' ? line : findProblem(line)
  if (problem !== undefined || typeof line === 'string') {
    console.error(`${problem}\n\n${help}`)
    process.exitCode = 2
  } else if (line.isHelp) console.log(help)
  else if (line.standalone === undefined) createHere(line.name)
  else await createStandalone(line.name, resolve(line.standalone))
}

interface Line {
  readonly name: string
  readonly standalone: string | undefined
  readonly isHelp: boolean
}

/** The command line, or the sentence that says what is wrong with it. */
function parse(): Line | string {
  try {
    const { values, positionals } = parseArgs({
      options: { standalone: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (positionals.length > 1) return `Unexpected argument ${positionals[1]}.`
    return { name: positionals[0] ?? '', standalone: values.standalone, isHelp: values.help === true }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function findProblem({ name, standalone, isHelp }: Line): string | undefined {
  if (isHelp) return undefined
  if (!/^remote-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Name the remote after its module, in lower case: npm run new -- remote-audit'
  const folder = standalone === undefined ? join(root, name) : resolve(standalone)
  if (existsSync(folder)) return `${folder} already exists. Choose another name, or remove the folder first.`
  return undefined
}

function createHere(name: string): void {
  writeFiles(join(root, name), createRemoteFiles(name))
  // A new package changes the lock file, which every other command takes as it is.
  const install = spawnSync(
    'npx',
    ['-y', pnpm, 'install', '--no-frozen-lockfile', '--prefer-offline', '--reporter=silent'],
    { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
  )
  if (install.status !== 0) process.exitCode = 1
  console.log(`${name} was created. Next:
  npm run dev -- ${name}        work on it
  npm test -- --accept-records ${name}    its tests, and the record of its screen
  npm run release -- ${name}    put it live
The address is /${name.slice('remote-'.length)}, and everybody who is signed in sees it; "module" and "action" in
${name}/remote.json narrow that down to a permission.`)
}

async function createStandalone(name: string, folder: string): Promise<void> {
  const packages = await packPackages(join(folder, 'packages'))
  writeFiles(folder, createStandaloneFiles(name, packages))
  console.log(`${name} was created in ${folder}. Next:
  cd ${relative(process.cwd(), folder)} && git init && npm install
  npm run check
Its README.md says the rest.`)
}

await exitOnError(createRemote)
