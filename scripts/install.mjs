import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const pnpm = 'pnpm@12.21.0'

/**
 * Installs the packages when the lock file or a package.json changed since the last finished install, or when that
 * install was interrupted. Returns what went wrong as a sentence, or nothing when all is well.
 * @param {string} root
 * @returns {Promise<string | undefined>}
 */
export async function ensureInstalled(root) {
  const currentFingerprint = fingerprint(root)
  const isDone = () =>
    read(join(root, 'node_modules', '.dmp-install')) === currentFingerprint && existsSync(ownNode(root))
  if (isDone()) return

  const lock = join(root, '.cache', 'install.lock')
  try {
    mkdirSync(dirname(lock), { recursive: true })
    await acquireLock(lock, root, isDone)
    if (isDone()) return void rmSync(lock, { force: true })
  } catch (error) {
    return explainWriteError(root, error)
  }

  console.log('Installing packages (once; a minute or two) …')
  const startedAt = Date.now()
  let outcome = await pnpmInstall(root)
  if (outcome.code === 0 && !hasOwnNode(root)) {
    console.log('The install is incomplete; starting over …')
    removeModules(root)
    outcome = await pnpmInstall(root)
  }
  if (outcome.code !== 0) {
    // The lock remains only when this process is killed, which tells the next run that the install is incomplete.
    rmSync(lock, { force: true })
    return explain(outcome.text, root)
  }
  if (!hasOwnNode(root))
    return `The project's own Node does not run after the install (${ownNode(root)}). Check that Node 24 exists for this platform (${process.platform}-${process.arch}).`
  writeFileSync(join(root, 'node_modules', '.dmp-install'), currentFingerprint)
  rmSync(lock, { force: true })
  console.log(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/** One install runs at a time. A lock whose owner no longer runs means that its install was interrupted. */
async function acquireLock(lock, root, isDone) {
  let hasSaidSo = false
  for (;;) {
    try {
      const handle = openSync(lock, 'wx')
      writeFileSync(handle, String(process.pid))
      return closeSync(handle)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const owner = Number(read(lock))
    if (owner && isAlive(owner)) {
      if (!hasSaidSo) console.log(`Another install is running here (process ${owner}); waiting for it …`)
      hasSaidSo = true
      await pause(500)
      if (isDone()) return
      continue
    }
    console.log('The last install was interrupted; removing what it left …')
    removeModules(root)
    rmSync(lock, { force: true })
  }
}

function fingerprint(root) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)
  const files = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    ...packages(root).map((folder) => join(folder, 'package.json')),
  ]
  for (const file of files) hash.update(file).update(read(join(root, file)) ?? '')
  return hash.digest('hex')
}

function packages(root) {
  const inside = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
      .map((entry) => join(folder, entry.name))
  return [...inside('.'), ...inside('shared')].filter((folder) => existsSync(join(root, folder, 'package.json'))).sort()
}

function removeModules(root) {
  for (const folder of ['.', ...packages(root)])
    rmSync(join(root, folder, 'node_modules'), { recursive: true, force: true })
}

function ownNode(root) {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

function hasOwnNode(root) {
  const version = JSON.parse(read(join(root, 'package.json')) ?? '{}').devDependencies?.node
  return spawnSync(ownNode(root), ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`
}

function pnpmInstall(root) {
  const options = [
    'install',
    '--frozen-lockfile',
    '--prefer-offline',
    '--reporter=append-only',
    '--config.confirmModulesPurge=false',
  ]
  const child = spawn(
    'npx',
    [
      '--loglevel=error',
      '--prefer-offline',
      '--fetch-retry-mintimeout=3000',
      '--fetch-retry-maxtimeout=8000',
      '-y',
      pnpm,
      ...options,
    ],
    {
      cwd: root,
      env: process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    },
  )
  let text = ''
  const keepOutput = (chunk) => {
    text = (text + chunk).slice(-20_000)
    const steps = String(chunk).match(/Progress: [^\n]+/g)
    if (steps && process.stdout.isTTY) process.stdout.write(`\r  ${steps.at(-1).slice(10).padEnd(70)}`)
  }
  child.stdout.on('data', keepOutput)
  child.stderr.on('data', keepOutput)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, text: String(error.message) }))
    child.on('close', (code) => {
      if (process.stdout.isTTY) process.stdout.write('\r')
      resolve({ code: code ?? 1, text })
    })
  })
}

function explain(text, root) {
  // pnpm says it in the system's words, broken into lines.
  if (/ENOSPC|space\s+(?:left\s+)?on\s+(?:device|the\s+disk)/.test(text))
    return 'The disk is full. The packages need about 2 GB; free some space and run the same command again.'
  const [, status] = /code E([45]\d\d)\b|ERR_PNPM_FETCH_([45]\d\d)\b/.exec(text)?.filter(Boolean) ?? []
  if (status) {
    // Without who asks, should the address say so.
    const [, address = 'a package'] = /GET (https?:\/\/\S+?):?\s/.exec(text) ?? []
    return `The npm registry answers ${status} to a request for ${address.replace(/\/\/[^/@]*@/, '//')}. Check that \`npm config get registry\` names a registry that has the packages of npmjs.org and lets you read them, then run the same command again; it continues where it stopped.`
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|SOCKET_TIMEOUT|META_FETCH_FAIL|ERR_PNPM_FETCH_/.test(
      text,
    )
  ) {
    return 'The packages could not be fetched: the npm registry does not respond. Check the network, the proxy and `npm config get registry`, then run the same command again; it continues where it stopped.'
  }
  if (/EACCES|EROFS|EPERM|Permission\s+denied|Read-only\s+file\s+system/.test(text))
    return explainWriteError(root, { code: 'EACCES' })
  if (/OUTDATED_LOCKFILE/.test(text))
    return `pnpm-lock.yaml does not match a package.json. Run \`npx -y ${pnpm} install\` and commit the lock file.`
  if (text.includes('spawn npx ENOENT'))
    return '`npx` was not found. It comes with npm: install Node with npm and run the same command again.'
  return `The packages could not be installed. The last output of ${pnpm}:\n${text.trim().split('\n').slice(-15).join('\n')}\nRun the same command again; if that does not help, remove node_modules first.`
}

function explainWriteError(root, error) {
  return `${root} cannot be written to (${error.code ?? error.message}). Give this user the right to write there, or clone to another folder.`
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
