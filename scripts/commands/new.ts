import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from '../install.mjs'
import { createRemoteFiles } from '../workspace/newRemote.ts'
import { root } from '../workspace/files.ts'

/**
 * `npm run new -- remote-audit`: a remote in the shape that all have, with its test. Publishing it makes it appear; the
 * host does not change.
 */
const name = process.argv[2] ?? ''
const problem = problemWith(name)
if (problem) {
  console.error(problem)
  process.exitCode = 2
} else {
  for (const [path, text] of Object.entries(createRemoteFiles(name))) {
    const file = join(root, name, path)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
  }
  // A new package changes the lock file, which every other command takes as it is.
  const install = spawnSync(
    'npx',
    ['-y', pnpm, 'install', '--no-frozen-lockfile', '--prefer-offline', '--reporter=silent'],
    { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' },
  )
  if (install.status !== 0) process.exitCode = 1
  console.log(`${name} was created. Next:
  npm run dev -- ${name}        work on it
  npx jest ${name}              its tests
  npm run release -- ${name}    put it live
The address is /${name.slice('remote-'.length)}; "module" and "action" in ${name}/remote.json
decide who sees it in the navigation.`)
}

function problemWith(name: string): string | undefined {
  if (!/^remote-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Name the remote after its module, in lower case: npm run new -- remote-audit'
  if (existsSync(join(root, name))) return `${name} already exists. Choose another name, or remove the folder first.`
  return undefined
}
