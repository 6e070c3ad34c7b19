import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toolchainHash, type Mode } from './toolchain.ts'
import { workspace, type Part } from './workspace.ts'

/** Names a file's content; stable over touches and checkouts. */
type FileHashes = Record<string, { time: number; size: number; hash: string }>

const inputsFile = (part: Part): string => path.join(part.folder, 'dist/inputs.txt')
const fileHashesFile = path.join(workspace, '.cache/inputs.json')

/**
 * What a part's output is made from, as one hash: its own sources, the shared ones, and the toolchain. Content decides; times
 * and sizes only save reading a file again that was read before.
 */
export function hashInputs(part: Part, mode: Mode, known: FileHashes = {}): string {
  const folders = [
    part.folder,
    ...(part.kind === 'viewer' ? [] : ['shared/contract', 'shared/kit'].map((folder) => path.join(workspace, folder))),
  ]
  const hash = createHash('sha256').update(`${toolchainHash()} ${mode}\n`)
  for (const folder of folders) {
    for (const file of listSources(folder)) hash.update(`${path.relative(workspace, file)} ${hashFile(file, known)}\n`)
  }
  return hash.digest('hex')
}

/** The parts whose `dist/` was not made from the sources as they are now. */
export function listStaleParts(all: readonly Part[], mode: Mode): Part[] {
  const known = readFileHashes()
  const answer = all.filter(
    (part) => !existsSync(inputsFile(part)) || readFileSync(inputsFile(part), 'utf8') !== hashInputs(part, mode, known),
  )
  writeFileHashes(known)
  return answer
}

/** Notes what the part's `dist/` was made from; `inputs` is taken before the build, so that a change during it is not missed. */
export function markBuilt(part: Part, inputs: string): void {
  writeFileSync(inputsFile(part), inputs)
}

function listSources(folder: string): string[] {
  const rooms = ['package.json', 'remote.json', 'webpack.config.ts', 'index.html']
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file))
  return [...rooms, ...listFiles(path.join(folder, 'src'))]
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

function hashFile(file: string, known: FileHashes): string {
  const { mtimeMs, size } = statSync(file)
  const before = known[file]
  if (before?.time === mtimeMs && before.size === size) return before.hash
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  known[file] = { time: mtimeMs, size, hash }
  return hash
}

function readFileHashes(): FileHashes {
  try {
    return JSON.parse(readFileSync(fileHashesFile, 'utf8')) as FileHashes
  } catch {
    return {} // Nothing remembered yet, or an unreadable note: everything is read once more.
  }
}

function writeFileHashes(known: FileHashes): void {
  mkdirSync(path.dirname(fileHashesFile), { recursive: true })
  writeFileSync(fileHashesFile, JSON.stringify(known))
}
