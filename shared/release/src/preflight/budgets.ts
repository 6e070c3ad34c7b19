import type { Release } from '@dmp/contract/release'

/** How large a part may be, in bytes sent (brotli). */
export interface Budget {
  /** The first script. */
  readonly entry: number
  /** Everything else its first page needs: a remote's `./App`, the host's styles. */
  readonly firstRoute: number
}

/** For parts that are not listed below. */
const defaultBudget: Budget = { entry: 5_000, firstRoute: 7_500 }

/**
 * The sizes of 2026-11-21 plus about a fifth. Before raising a number, try a lazy route or a component of the kit in
 * place of one that the part bundles.
 */
const budgets: Readonly<Record<string, Budget>> = {
  host: { entry: 240_000, firstRoute: 4_500 },
  viewer: { entry: 7_000, firstRoute: 2_600 },
  'remote-account': { entry: 5_600, firstRoute: 7_900 },
  'remote-scan': { entry: 5_600, firstRoute: 15_600 },
}

export const getBudget = (part: string): Budget =>
  (Object.hasOwn(budgets, part) ? budgets[part] : undefined) ?? defaultBudget

/** The same two figures measured from a release's document. */
export function measureWeight(release: Release): Budget {
  const brotli = (files: readonly string[]): number =>
    release.files.filter(({ path }) => files.includes(path)).reduce((sum, file) => sum + file.brotli, 0)
  return { entry: brotli([release.entry]), firstRoute: brotli(release.chunks['./App'] ?? release.initial) }
}
