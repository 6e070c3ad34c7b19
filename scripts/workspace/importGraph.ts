import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Which files stand on which, of everything in a checkout that git knows or would take. */
export interface ImportGraph {
  readonly sources: ReadonlyMap<string, string>
  /** By file, also one that is not there any more: those that name it. */
  readonly users: ReadonlyMap<string, readonly string[]>
}

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

export const getPackage = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('shared/') ? 2 : 1)
    .join('/')

export function readImportGraph(checkout: string): ImportGraph {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  const files = [...new Set(listed.stdout.split('\n'))].filter(
    (file) => /\.tsx?$/.test(file) && existsSync(join(checkout, file)),
  )
  const sources = new Map(files.map((file) => [file, readFileSync(join(checkout, file), 'utf8')]))
  return { sources, users: linkImports(sources, readPackages(checkout, files)) }
}

export function linkImports(sources: ReadonlyMap<string, string>, packages: Packages): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const [file, source] of sources)
    for (const used of new Set(listImports(file, source, packages)))
      if (used !== file) users.set(used, [...(users.get(used) ?? []), file])
  return users
}

/** Each package's exports: `@dmp/kit/ui` → `shared/kit/src/ui/index.ts`. */
export type Packages = Map<string, { folder: string; exports: Record<string, string> }>

function readPackages(checkout: string, files: string[]): Packages {
  const packages: Packages = new Map()
  for (const folder of new Set(files.map(getPackage))) {
    const path = join(checkout, folder, 'package.json')
    if (!existsSync(path)) continue
    const { name, exports = {} } = JSON.parse(readFileSync(path, 'utf8')) as {
      name: string
      exports?: Record<string, string>
    }
    packages.set(name, { folder, exports })
  }
  return packages
}

/**
 * Imports, mocks, workers and programs: whatever names another file in quotes; a package only where it is imported or
 * asked for by a call, not in a list of names.
 */
export function listImports(file: string, source: string, packages: Packages): string[] {
  const named = source.matchAll(/(?:(?:\bfrom|\bimport|[\w>]\()\s*)?['"`]((?:\.{1,2}\/|@dmp\/)[\w@./-]+)['"`]/g)
  return [...named].flatMap(([whole, path = '']) => {
    if (path.startsWith('@') && /^['"`]/.test(whole)) return []
    if (path.startsWith('.')) return [normalize(join(dirname(file), path))]
    const [scope, name, ...rest] = path.split('/')
    const owner = packages.get(`${scope}/${name}`)
    const subpath = ['.', ...rest].join('/')
    const target = owner?.exports[subpath] ?? owner?.exports['./*']?.replace('*', rest.join('/'))
    return owner && target ? [normalize(join(owner.folder, target))] : []
  })
}

/** How many steps of import lie between the file and whatever stands on it. */
export function countSteps(file: string, users: ImportGraph['users']): Map<string, number> {
  const steps = new Map([[file, 0]])
  for (const [used, step] of steps)
    for (const user of users.get(used) ?? []) if (!steps.has(user)) steps.set(user, step + 1)
  return steps
}
