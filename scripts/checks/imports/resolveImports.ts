import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, posix, relative, sep } from 'node:path'

/** Where an import leads. */
export interface Resolved {
  /** A path from the root, or what was asked for. */
  readonly to: string
  readonly kind: 'local' | 'core' | 'npm' | 'npm-no-pkg' | 'undetermined' | 'unknown'
}

interface Manifest {
  readonly name?: string
  readonly main?: string
  readonly exports?: unknown
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly peerDependencies?: object
  readonly optionalDependencies?: object
}

/** As in `.dependency-cruiser.mjs`. */
const conditions = new Set(['browser', 'import', 'require', 'node', 'default'])

/**
 * Says where imports of a checkout lead, in the forms that this repository uses: paths with their extension, packages
 * by their exports, Node's own modules. All else is "unknown", which is for dependency-cruiser to judge.
 */
export class ImportResolver {
  readonly #root: string
  readonly #manifests = new Map<string, Manifest | undefined>()
  readonly #known = new Map<string, Resolved>()

  constructor(root: string) {
    this.#root = root
  }

  resolve(from: string, name: string): Resolved {
    const bare = name.replace(/^node:/, '')
    if (isBuiltin(name)) return { to: bare, kind: 'core' }
    if (name.startsWith('.')) {
      const to = posix.join(posix.dirname(from), name)
      return isFile(join(this.#root, to)) ? { to, kind: 'local' } : unknown(name)
    }
    const key = `${posix.dirname(from)}\n${name}`
    const known = this.#known.get(key) ?? this.#findPackage(posix.dirname(from), name)
    this.#known.set(key, known)
    return known
  }

  #findPackage(folder: string, name: string): Resolved {
    const parts = name.split('/')
    const owner = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/')
    const places = listFoldersUp(folder)
    // A package may name itself.
    const own = places.find((each) => this.#read(each)?.name === owner)
    const installed = places.map((each) => join(this.#root, each, 'node_modules', owner))
    const place = own === undefined ? installed.find((each) => existsSync(each)) : join(this.#root, own)
    if (place === undefined) return unknown(name)
    if (own === undefined && !places.some((each) => isDeclared(this.#read(each), owner)))
      return { to: name, kind: 'npm-no-pkg' }
    const target = findTarget(place, this.#read(relative(this.#root, place)), parts.slice(owner.split('/').length))
    if (target === undefined) return unknown(name)
    const real = relative(realpathSync(this.#root), realpathSync(target)).split(sep).join('/')
    return { to: real, kind: real.includes('node_modules/') ? 'npm' : 'undetermined' }
  }

  #read(folder: string): Manifest | undefined {
    if (!this.#manifests.has(folder)) {
      const file = join(this.#root, folder, 'package.json')
      this.#manifests.set(folder, existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined)
    }
    return this.#manifests.get(folder)
  }
}

const unknown = (name: string): Resolved => ({ to: name, kind: 'unknown' })

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

const listFoldersUp = (folder: string): string[] =>
  folder === '.' ? ['.'] : [folder, ...listFoldersUp(dirname(folder))]

const isDeclared = (manifest: Manifest | undefined, owner: string): boolean =>
  [manifest?.dependencies, manifest?.devDependencies, manifest?.peerDependencies, manifest?.optionalDependencies].some(
    (list) => list !== undefined && Object.hasOwn(list, owner),
  )

function findTarget(place: string, manifest: Manifest | undefined, rest: readonly string[]): string | undefined {
  const exported = manifest?.exports
  const path =
    exported === undefined
      ? rest.length > 0
        ? rest.join('/')
        : (manifest?.main ?? 'index.js')
      : findExport(exported, ['.', ...rest].join('/'))
  if (path === undefined) return undefined
  return ['', '.js', '/index.js'].map((end) => join(place, `${path}${end}`)).find(isFile)
}

/** Node's way with a package's exports. */
function findExport(exported: unknown, subpath: string): string | undefined {
  const isTable = isObject(exported) && Object.keys(exported).some((key) => key.startsWith('.'))
  if (!isTable) return subpath === '.' ? choose(exported) : undefined
  if (Object.hasOwn(exported, subpath)) return choose(exported[subpath])
  for (const [key, value] of Object.entries(exported).sort(([a], [b]) => b.length - a.length)) {
    const [start = '', end] = key.split('*')
    if (end === undefined || !subpath.startsWith(start) || !subpath.endsWith(end)) continue
    return choose(value)?.replaceAll('*', subpath.slice(start.length, subpath.length - end.length))
  }
  return undefined
}

function choose(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(choose).find((each) => each !== undefined)
  if (!isObject(value)) return undefined
  for (const [condition, inner] of Object.entries(value)) {
    const chosen = conditions.has(condition) ? choose(inner) : undefined
    if (chosen !== undefined) return chosen
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
