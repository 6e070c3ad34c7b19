import { countSteps, getPackage, isTest, readImportGraph } from '../workspace/importGraph.ts'

/** Which files stand on which, of everything that is committed in a checkout. */
export interface RelatedTests {
  files: string[]
  /**
   * The tests that reach the file by imports, those first that speak of the same; of programs also those that only
   * start them.
   */
  testsOf: (file: string) => string[]
}

export function findRelatedTests(checkout: string): RelatedTests {
  const { sources, users } = readImportGraph(checkout)
  const files = [...sources.keys()]
  const likeness = createSimilarity(new Map(files.filter(isTest).map((test) => [test, sources.get(test) ?? ''])))
  return {
    files,
    testsOf: (file) => sortByNearness(file, countSteps(file, users), files, likeness(sources.get(file) ?? '')),
  }
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
