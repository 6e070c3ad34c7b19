import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const lockFiles = ['pnpm-lock.yaml', 'package-lock.json', 'yarn.lock', 'bun.lock']

/**
 * The repository's folder: this one, or, where the build was installed as a package, the one that is worked in: the
 * nearest with a lock file, else the nearest with a package.json.
 */
export const workspace = findWorkspace(import.meta.dirname, process.cwd())

export function findWorkspace(here: string, cwd: string): string {
  if (!here.split(path.sep).includes('node_modules')) return path.resolve(here, '../../..')
  const above = listFoldersAbove(cwd)
  return (
    above.find((folder) => lockFiles.some((name) => existsSync(path.join(folder, name)))) ??
    above.find((folder) => existsSync(path.join(folder, 'package.json'))) ??
    cwd
  )
}

function listFoldersAbove(folder: string): string[] {
  const parent = path.dirname(folder)
  return parent === folder ? [folder] : [folder, ...listFoldersAbove(parent)]
}

/** The file that says which packages are installed, if there is one. */
export const findLockFile = (root = workspace): string | undefined =>
  lockFiles.map((name) => path.join(root, name)).find((file) => existsSync(file))

/** The folder of the package that a file belongs to. */
export function findPackage(file: string): string {
  const folder = path.dirname(file)
  const known = packages.get(folder)
  if (known !== undefined) return known
  const found =
    existsSync(path.join(folder, 'package.json')) || folder === path.dirname(folder) ? folder : findPackage(folder)
  packages.set(folder, found)
  return found
}

const packages = new Map<string, string>()

/** A part, deployed on its own: the host, a remote or the viewer. */
export interface Part {
  readonly name: string
  readonly folder: string
  readonly kind: 'host' | 'remote' | 'viewer'
}

/**
 * Lists every part that has a `webpack.config.ts` (or `.mjs`, `.js`). A new folder `remote-…` is found without
 * registration; a repository may also be one remote as a whole.
 */
export function listParts(root = workspace): Part[] {
  const names = readdirSync(root).filter((name) => name === 'host' || name === 'viewer' || name.startsWith('remote-'))
  const parts = names.map((name): Part => ({ name, folder: path.join(root, name), kind: toKind(name) }))
  return [...parts, ...listOwnPart(root)].filter((part) => findConfiguration(part.folder) !== undefined)
}

/** The repository itself, where it is a remote. */
function listOwnPart(root: string): Part[] {
  const file = path.join(root, 'remote.json')
  if (!existsSync(file)) return []
  return [{ name: readPartName(file) ?? path.basename(root), folder: root, kind: 'remote' }]
}

/** Undefined where it cannot be read: what is wrong with the file is for `check` and for the build to say. */
function readPartName(file: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

/** The part's webpack configuration. */
export const findConfiguration = (folder: string): string | undefined =>
  ['webpack.config.ts', 'webpack.config.mjs', 'webpack.config.js']
    .map((name) => path.join(folder, name))
    .find((file) => existsSync(file))

function toKind(name: string): Part['kind'] {
  return name === 'host' ? 'host' : name === 'viewer' ? 'viewer' : 'remote'
}
