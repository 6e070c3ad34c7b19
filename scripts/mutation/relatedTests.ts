import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Which files stand on which, of everything that is committed in a checkout. */
export interface RelatedTests {
  files: string[]
  /**
   * The tests that reach the file by imports, those first that speak of the same; of programs also those that only
   * start them.
   */
  testsOf: (file: string) => string[]
}

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)

export const getPackage = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('shared/') ? 2 : 1)
    .join('/')

export function findRelatedTests(checkout: string): RelatedTests {
  const files = spawnSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((file) => /\.tsx?$/.test(file))
  const packages = readPackages(checkout, files)
  const sources = new Map(files.map((file) => [file, readFileSync(join(checkout, file), 'utf8')]))
  const users = new Map<string, string[]>()
  for (const [file, source] of sources) {
    for (const used of listImports(file, source, packages)) {
      if (sources.has(used)) users.set(used, [...(users.get(used) ?? []), file])
    }
  }
  const likeness = createSimilarity(new Map(files.filter(isTest).map((test) => [test, sources.get(test) ?? ''])))
  return {
    files,
    testsOf: (file) => sortByNearness(file, countSteps(file, users), files, likeness(sources.get(file) ?? '')),
  }
}

/** Each package's exports: `@dmp/kit/ui` → `shared/kit/src/ui/index.ts`. */
type Packages = Map<string, { folder: string; exports: Record<string, string> }>

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

/** Imports, mocks, workers and programs: whatever names another file in quotes. */
export function listImports(file: string, source: string, packages: Packages): string[] {
  return [...source.matchAll(/['"`]((?:\.{1,2}\/|@dmp\/)[\w@./-]+)['"`]/g)].flatMap(([, path = '']) => {
    if (path.startsWith('.')) return [normalize(join(dirname(file), path))]
    const [scope, name, ...rest] = path.split('/')
    const owner = packages.get(`${scope}/${name}`)
    const subpath = ['.', ...rest].join('/')
    const target = owner?.exports[subpath] ?? owner?.exports['./*']?.replace('*', rest.join('/'))
    return owner && target ? [normalize(join(owner.folder, target))] : []
  })
}

/** How many steps of import lie between the file and whatever stands on it. */
function countSteps(file: string, users: Map<string, string[]>): Map<string, number> {
  const steps = new Map([[file, 0]])
  for (const [used, step] of steps)
    for (const user of users.get(used) ?? []) if (!steps.has(user)) steps.set(user, step + 1)
  return steps
}

/**
 * How much each test speaks of what a source speaks of: the words that both have, a rare one for more than one that is
 * everywhere.
 */
export function createSimilarity(tests: ReadonlyMap<string, string>): (source: string) => (test: string) => number {
  const splitWords = (text: string) => new Set(text.match(/[A-Za-z]\w{3,}/g))
  const wordsByTest = new Map([...tests].map(([test, text]) => [test, splitWords(text)]))
  const holders = new Map<string, number>()
  for (const some of wordsByTest.values()) for (const word of some) holders.set(word, (holders.get(word) ?? 0) + 1)
  return (source) => {
    const own = splitWords(source)
    return (test) => {
      const some = wordsByTest.get(test) ?? new Set()
      const shared = [...own]
        .filter((word) => some.has(word))
        .map((word) => Math.log(wordsByTest.size / (holders.get(word) ?? 1)))
      // A long test shares many words with everything.
      return shared.reduce((sum, weight) => sum + weight, 0) / Math.sqrt(some.size || 1)
    }
  }
}

/** A file's own test first, then those of its part, then by what they speak of. */
function sortByNearness(
  file: string,
  steps: Map<string, number>,
  files: string[],
  likeness: (test: string) => number,
): string[] {
  const own = file.replace(/\.tsx?$/, '.test.ts')
  const isAsked = (test: string) =>
    steps.has(test) || (getPackage(test) === getPackage(file) && ['server', 'uploader'].includes(getPackage(file)))
  const place = (test: string) => (test.startsWith(own) ? 2 : Number(getPackage(test) === getPackage(file)))
  const nearest = files
    .filter((test) => isTest(test) && isAsked(test))
    .map((test) => ({ test, place: place(test), likeness: likeness(test) }))
  return nearest.sort((a, b) => b.place - a.place || b.likeness - a.likeness).map(({ test }) => test)
}
