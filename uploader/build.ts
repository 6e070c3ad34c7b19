import { execFileSync, execSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { baseConfig, typescriptRule } from '@dmp/build/baseConfig'
import { compile } from '@dmp/build/build'
import { inject } from 'postject'
import webpack from 'webpack'
import about from './package.json' with { type: 'json' }
import { readKeys, type Keys } from './signingKey.ts'
import { signProgram } from './src/update/statement.ts'
import { nodeVersion, targets, type Runtime, type Target } from './targets.ts'

const here = import.meta.dirname
const bundleFolder = path.join(here, 'dist/bundle')

/**
 * Makes the uploader's executables in `dist/windows` and `dist/linux`: one file each, nothing to install. The sources
 * become one script, which is put into Node's own program (single executable application).
 *
 * @param platformNames platforms; all when empty
 * @param log called with one line per step
 */
export async function buildUploader(platformNames: readonly string[], log: (line: string) => void): Promise<void> {
  const selectedTargets = targets.filter(
    ({ platform }) => platformNames.length === 0 || platformNames.includes(platform),
  )
  if (selectedTargets.length === 0)
    throw new Error(
      `There is no platform ${platformNames.join(', ')}. Choose one of: ${targets.map(({ platform }) => platform).join(', ')}.`,
    )
  if (process.versions.node !== nodeVersion)
    throw new Error(
      `The uploader is built with Node ${nodeVersion}, this is ${process.versions.node}. Start it with npm run build:uploader.`,
    )
  const keys = readKeys(log)
  await bundle(keys.trusted)
  offerUpdate(keys)
  const blob = createBlob()
  for (const target of selectedTargets) {
    const program = await put(target, blob)
    log(`made ${path.relative(process.cwd(), program)}`)
  }
}

/** What running uploaders fetch: the program alone, the same for every platform, and the statement that is signed. */
function offerUpdate({ key }: Keys): void {
  const folder = path.join(here, 'dist/update')
  mkdirSync(folder, { recursive: true })
  const program = readFileSync(path.join(bundleFolder, 'uploader.cjs'))
  const files = {
    'uploader.cjs': program,
    'uploader.json': `${JSON.stringify(signProgram(program, about.version, key))}\n`,
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, `${name}.unfinished`), content)
    renameSync(path.join(folder, `${name}.unfinished`), path.join(folder, name))
  }
}

/** The whole program as one script; `trusted` are the keys whose programs may take its place. */
export async function bundle(trusted: readonly string[], folder = bundleFolder): Promise<void> {
  const base = baseConfig(here, 'production')
  await compile({
    ...base,
    target: 'node24',
    entry: { uploader: './src/main.ts' },
    output: { path: folder, filename: '[name].cjs', clean: true },
    plugins: [new webpack.DefinePlugin({ __TRUSTED_KEYS__: JSON.stringify(trusted) })],
    // A program in a terminal speaks English alone; the window has its catalogues with it.
    module: {
      rules: [typescriptRule, { test: /window[\\/]page[\\/]/, type: 'asset/inline', generator: inline }],
      // The dictionary of DICOM, which the server's de-identification loads so.
      parser: { javascript: { createRequire: true } },
    },
    optimization: { minimize: false, splitChunks: false },
  })
}

/** Files of the window, as they are, in base64. */
const inline = {
  dataUrl: (content: string | Buffer): string =>
    `data:application/octet-stream;base64,${Buffer.from(content).toString('base64')}`,
}

/** The blob that Node carries inside the program. Without snapshot and code cache it is the same for every platform. */
function createBlob(): Buffer {
  const config = path.join(bundleFolder, 'sea-config.json')
  const output = path.join(bundleFolder, 'uploader.blob')
  writeFileSync(
    config,
    JSON.stringify({
      main: path.join(bundleFolder, 'uploader.cjs'),
      output,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      // Hospitals have a proxy (HTTPS_PROXY, NO_PROXY), and certificate authorities of their own in the system's store.
      execArgv: ['--use-env-proxy', '--use-system-ca'],
    }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(output)
}

async function put(target: Target, blob: Buffer): Promise<string> {
  const folder = path.join(here, 'dist', target.platform)
  mkdirSync(folder, { recursive: true })
  const program = path.join(folder, target.program)
  if (target.runtime === undefined) return packForMacos(program)
  const unfinished = `${program}.unfinished`
  copyFileSync(fetchRuntime(target.runtime), unfinished)
  chmodSync(unfinished, 0o755)
  if (target.platform === 'windows') removeSignature(unfinished)
  await inject(unfinished, 'NODE_SEA_BLOB', blob, { sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2' })
  // A server may be handing out the program that was there.
  renameSync(unfinished, program)
  return program
}

/**
 * macOS runs no program whose signature is broken, and only a Mac can make one: so the script travels alone, and is
 * started by the Node that is installed there.
 */
function packForMacos(archive: string): string {
  const folder = path.join(here, 'dist/bundle/dmp-uploader')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copyFileSync(path.join(bundleFolder, 'uploader.cjs'), path.join(folder, 'uploader.cjs'))
  const start = [
    '#!/bin/sh',
    'here=$(cd "$(dirname "$0")" && pwd)',
    'if ! node -e "process.exit(Number(process.versions.node.split(\'.\')[0]) < 24 ? 1 : 0)" 2>/dev/null; then',
    '  echo "The uploader needs Node 24 or newer on this Mac: brew install node." >&2',
    '  exit 2',
    'fi',
    'exec node --use-env-proxy --use-system-ca "$here/uploader.cjs" "$@"',
    '',
  ]
  writeFileSync(path.join(folder, 'dmp-uploader'), start.join('\n'), { mode: 0o755 })
  execFileSync('tar', ['-czf', `${archive}.unfinished`, '-C', path.dirname(folder), 'dmp-uploader'])
  renameSync(`${archive}.unfinished`, archive)
  return archive
}

/**
 * Node's own signature does not cover the added program; without any, Windows asks once, while a broken one looks like
 * an attack.
 */
function removeSignature(program: string): void {
  const bytes = readFileSync(program)
  const optionalHeader = bytes.readUInt32LE(0x3c) + 24
  if (bytes.readUInt16LE(optionalHeader) !== 0x20b) throw new Error(`${program} is not a 64-bit Windows program.`)
  // Fifth of the data directories (PE format): where in the file the certificates stand, and how long they are.
  const entry = optionalHeader + 112 + 4 * 8
  const [start, length] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)]
  if (length === 0) return
  bytes.fill(0, entry, entry + 8)
  writeFileSync(program, start + length >= bytes.length - 8 ? bytes.subarray(0, start) : bytes)
}

/**
 * Node's program for the platform: this very one where it fits, else from npm's registry (whichever is configured),
 * checked against the pinned hash.
 */
function fetchRuntime({ npm, file, integrity }: Runtime): string {
  if (npm === `node-${process.platform}-${process.arch}`) return process.execPath
  const folder = path.join(here, '../.cache/runtimes', `${npm}-${nodeVersion}`)
  const program = path.join(folder, 'package', file)
  if (existsSync(program)) return program
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const packed = fetched(`${npm}@${nodeVersion}`, folder)
  if (`sha512-${createHash('sha512').update(packed).digest('base64')}` !== integrity)
    throw new Error(`${npm} ${nodeVersion} from the npm registry is not what was pinned. Nothing was made of it.`)
  execFileSync('tar', ['-xzf', '-', '-C', folder, `package/${file}`], { input: packed })
  return program
}

function fetched(name: string, folder: string): Buffer {
  try {
    // As one line: npm is a script on Windows. Nothing in it comes from outside.
    execSync(`npm pack --silent ${name}`, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    throw new Error(
      `${name} could not be fetched. Check the network and \`npm config get registry\`, or build the other platform only: npm run build:uploader -- linux`,
    )
  }
  const file = path.join(folder, `${name.replace('@', '-')}.tgz`)
  const packed = readFileSync(file)
  rmSync(file)
  return packed
}
