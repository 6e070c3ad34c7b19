import { listFiles } from './files.ts'

export const webTests = 'jest.config.mjs'
export const nodeTests = 'jest.node.config.mjs'

/** Packages whose tests draw screens or run in the browser; all others run in Node. */
const isWeb = /^(?:host|remote-[a-z0-9-]+|viewer|shared\/(?:contract|dicom|kit))\//

export const isWebTest = (test: string): boolean => isWeb.test(test)

/**
 * The configurations that have a test whose path contains one of the words, so that nothing is started for nothing;
 * both where words are options of Jest, which may choose in other ways.
 */
export function findJestConfigs(words: readonly string[], tests = listFiles('.', /\.test\.tsx?$/)): string[] {
  const both: string[] = [webTests, nodeTests]
  if (words.length === 0 || words.some((word) => word.startsWith('-'))) return both
  const matching = tests.filter((test) => words.some((word) => test.toLowerCase().includes(word.toLowerCase())))
  const configs = new Set<string>(matching.map((test) => (isWeb.test(test) ? webTests : nodeTests)))
  // A word may also be an expression, which Jest understands.
  return configs.size === 0 ? both : both.filter((config) => configs.has(config))
}
