import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { localesFolder } from './catalogues.ts'
import { toolchainHash, type Mode } from './toolchain.ts'
import { workspace, type Part } from './workspace.ts'

/** Content hashes by file; time and size tell whether a file must be read again. */
type FileHashes = Record<string, { time: number; size: number; hash: string }>

const inputsFile = (part: Part): string => path.join(part.folder, 'dist/inputs.txt')
const fileHashesFile = path.join(workspace, '.cache/inputs.json')

/**
 * Hashes everything that a part's output is made from: its own sources, the shared ones, the toolchain and the mode.
 */
export function hashInputs(part: Part, mode: Mode, fileHashes: FileHashes = {}, root = workspace): string {
  const folders = [
    part.folder,
    ...['shared/contract', 'shared/kit', 'shared/dicom'].map((folder) => path.join(root, folder)),
  ]
  const hash = createHash('sha256').update(`${toolchainHash()} ${mode}\n`)
  for (const folder of folders) {
    for (const file of listSources(folder)) hash.update(`${path.relative(root, file)} ${hashFile(file, fileHashes)}\n`)
  }
  return hash.digest('hex')
}

/** Lists the parts whose `dist/` was not made from the current sources. */
export function listStaleParts(parts: readonly Part[], mode: Mode): Part[] {
  const fileHashes = readFileHashes()
  const staleParts = parts.filter(
    (part) =>
      !existsSync(inputsFile(part)) || readFileSync(inputsFile(part), 'utf8') !== hashInputs(part, mode, fileHashes),
  )
  writeFileHashes(fileHashes)
  return staleParts
}

/** Records what `dist/` was made from. Hash the inputs before the build, so that a change during it is not missed. */
export function markBuilt(part: Part, inputs: string): void {
  writeFileSync(inputsFile(part), inputs)
}

function listSources(folder: string): string[] {
  const rootFiles = ['package.json', 'remote.json', 'webpack.config.ts', 'webpack.config.mjs', 'index.html']
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file))
  return [...rootFiles, ...listFiles(path.join(folder, 'src')), ...listFiles(localesFolder(folder))]
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

function hashFile(file: string, fileHashes: FileHashes): string {
  const { mtimeMs, size } = statSync(file)
  const cached = fileHashes[file]
  if (cached?.time === mtimeMs && cached.size === size) return cached.hash
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  fileHashes[file] = { time: mtimeMs, size, hash }
  return hash
}

function readFileHashes(): FileHashes {
  try {
    return JSON.parse(readFileSync(fileHashesFile, 'utf8')) as FileHashes
  } catch {
    return {} // No cache yet, or an unreadable one: every file is hashed again.
  }
}

function writeFileHashes(fileHashes: FileHashes): void {
  mkdirSync(path.dirname(fileHashesFile), { recursive: true })
  writeFileSync(fileHashesFile, JSON.stringify(fileHashes))
}
