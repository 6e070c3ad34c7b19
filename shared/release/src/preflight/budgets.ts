import type { Release } from '@dmp/contract/release'

/** How large a part may be, in bytes sent (brotli). */
export interface Budget {
  /** The first script. */
  readonly entry: number
  /** Everything else its first page needs: a remote's `./App`, the host's styles. */
  readonly firstRoute: number
}

/** For parts that are not listed below. */
const defaultBudget: Budget = { entry: 5_200, firstRoute: 11_000 }

/**
 * The sizes of 2026-11-25 plus a tenth to a fifth. Before raising a number, try a lazy route
 * or a component of the kit in place of one that the part bundles.
 */
const budgets: Readonly<Record<string, Budget>> = {
  host: { entry: 180_000, firstRoute: 6_500 },
  viewer: { entry: 10_600, firstRoute: 2_600 },
  'remote-account': { entry: 6_000, firstRoute: 9_500 },
  'remote-scan': { entry: 6_000, firstRoute: 26_000 },
}

export const getBudget = (part: string): Budget =>
  (Object.hasOwn(budgets, part) ? budgets[part] : undefined) ?? defaultBudget

/** The same two figures measured from a release's document. */
export function measureWeight(release: Release): Budget {
  const brotli = (files: readonly string[]): number =>
    release.files.filter(({ path }) => files.includes(path)).reduce((sum, file) => sum + file.brotli, 0)
  return { entry: brotli([release.entry]), firstRoute: brotli(release.chunks['./App'] ?? release.initial) }
}
