import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Which files stand on which, of everything that is committed in a checkout. */
export interface Related {
  files: string[]
  /** The tests that reach the file by imports, the nearest first; of programs also those that only start them. */
  testsOf: (file: string) => string[]
}

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

export const partOf = (file: string): string => file.split('/').slice(0, file.startsWith('shared/') ? 2 : 1).join('/')

export function relatedIn(checkout: string): Related {
  const files = spawnSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' }).stdout.split('\n').filter((file) => /\.tsx?$/.test(file))
  const packages = packagesIn(checkout, files)
  const users = new Map<string, string[]>()
  for (const file of files) {
    for (const used of importsOf(file, readFileSync(join(checkout, file), 'utf8'), packages)) {
      if (existsSync(join(checkout, used))) users.set(used, [...(users.get(used) ?? []), file])
    }
  }
  return { files, testsOf: (file) => near(file, reached(file, users), files) }
}

/** Each package's exports: `@dmp/kit/ui` → `shared/kit/src/ui/index.ts`. */
type Packages = Map<string, { folder: string; exports: Record<string, string> }>

function packagesIn(checkout: string, files: string[]): Packages {
  const packages: Packages = new Map()
  for (const folder of new Set(files.map(partOf))) {
    const path = join(checkout, folder, 'package.json')
    if (!existsSync(path)) continue
    const { name, exports = {} } = JSON.parse(readFileSync(path, 'utf8')) as { name: string; exports?: Record<string, string> }
    packages.set(name, { folder, exports })
  }
  return packages
}

/** Imports, mocks, workers and programs: whatever names another file in quotes. */
export function importsOf(file: string, source: string, packages: Packages): string[] {
  return [...source.matchAll(/['"`]((?:\.{1,2}\/|@dmp\/)[\w@./-]+)['"`]/g)].flatMap(([, path = '']) => {
    if (path.startsWith('.')) return [normalize(join(dirname(file), path))]
    const [scope, name, ...rest] = path.split('/')
    const found = packages.get(`${scope}/${name}`)
    const wanted = ['.', ...rest].join('/')
    const target = found?.exports[wanted] ?? found?.exports['./*']?.replace('*', rest.join('/'))
    return found && target ? [normalize(join(found.folder, target))] : []
  })
}

/** How many steps of import lie between the file and whatever stands on it. */
function reached(file: string, users: Map<string, string[]>): Map<string, number> {
  const steps = new Map([[file, 0]])
  for (const [one, step] of steps) for (const user of users.get(one) ?? []) if (!steps.has(user)) steps.set(user, step + 1)
  return steps
}

function near(file: string, steps: Map<string, number>, files: string[]): string[] {
  const far = 1000
  const isAsked = (test: string) => steps.has(test) || (partOf(test) === partOf(file) && ['server', 'uploader'].includes(partOf(file)))
  const words = new Set(file.split(/[^a-z]+/i).filter((word) => word.length > 3).map((word) => word.toLowerCase()))
  const kin = (test: string) => [...words].filter((word) => test.toLowerCase().includes(word)).length
  const order = (test: string) => (dirname(test) === dirname(file) ? 0 : 3) + (steps.get(test) ?? far) - 2 * kin(test)
  return files.filter((test) => isTest(test) && isAsked(test)).sort((a, b) => Number(partOf(b) === partOf(file)) - Number(partOf(a) === partOf(file)) || order(a) - order(b))
}
