import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toolchain, type Mode } from './toolchain.ts'
import { workspace, type Part } from './workspace.ts'

/** Names a file's content; stable over touches and checkouts. */
type Known = Record<string, { time: number; size: number; hash: string }>

const stampOf = (part: Part): string => path.join(part.folder, 'dist/inputs.txt')
const memory = path.join(workspace, '.cache/inputs.json')

/**
 * What a part's output is made from, as one hash: its own sources, the shared ones, and the toolchain. Content decides;
 * times and sizes only save reading a file again that was read before.
 */
export function inputsOf(part: Part, mode: Mode, known: Known = {}): string {
  const folders = [
    part.folder,
    ...(part.kind === 'viewer' ? [] : ['shared/contract', 'shared/kit'].map((folder) => path.join(workspace, folder))),
  ]
  const hash = createHash('sha256').update(`${toolchain()} ${mode}\n`)
  for (const folder of folders) {
    for (const file of sources(folder)) hash.update(`${path.relative(workspace, file)} ${contentOf(file, known)}\n`)
  }
  return hash.digest('hex')
}

/** The parts whose `dist/` was not made from the sources as they are now. */
export function stale(all: readonly Part[], mode: Mode): Part[] {
  const known = recall()
  const answer = all.filter(
    (part) => !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== inputsOf(part, mode, known),
  )
  remember(known)
  return answer
}

/**
 * Notes what the part's `dist/` was made from; `inputs` is taken before the build, so that a change during it is not
 * missed.
 */
export function stamp(part: Part, inputs: string): void {
  writeFileSync(stampOf(part), inputs)
}

function sources(folder: string): string[] {
  const rooms = ['package.json', 'remote.json', 'webpack.config.ts', 'index.html']
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file))
  return [...rooms, ...below(path.join(folder, 'src'))]
}

function below(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

function contentOf(file: string, known: Known): string {
  const { mtimeMs, size } = statSync(file)
  const before = known[file]
  if (before?.time === mtimeMs && before.size === size) return before.hash
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  known[file] = { time: mtimeMs, size, hash }
  return hash
}

function recall(): Known {
  try {
    return JSON.parse(readFileSync(memory, 'utf8')) as Known
  } catch {
    return {} // Nothing remembered yet, or an unreadable note: everything is read once more.
  }
}

function remember(known: Known): void {
  mkdirSync(path.dirname(memory), { recursive: true })
  writeFileSync(memory, JSON.stringify(known))
}
