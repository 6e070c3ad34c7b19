import type { Release } from '@dmp/contract/release'

/** What a part may weigh, in bytes as they travel (brotli). */
export interface Budget {
  /** The first script. */
  readonly entry: number
  /** What its first page needs beyond that: a remote's `./App`, the host's styles. */
  readonly firstRoute: number
}

/** A part that is not named below. */
const defaultBudget: Budget = { entry: 5_000, firstRoute: 7_500 }

/**
 * The sizes of 2026-11-21 and about a fifth on top. Whoever needs more raises the number here, where everybody sees it; the
 * remedies before that: a lazy route, or taking from the kit what is built in.
 */
const budgets: Readonly<Record<string, Budget>> = {
  host: { entry: 240_000, firstRoute: 4_500 },
  viewer: { entry: 7_000, firstRoute: 2_600 },
  'remote-account': { entry: 5_600, firstRoute: 7_900 },
  'remote-scan': { entry: 5_600, firstRoute: 15_600 },
}

export const getBudget = (name: string): Budget =>
  (Object.hasOwn(budgets, name) ? budgets[name] : undefined) ?? defaultBudget

/** The same two numbers of a release, from its own document. */
export function measureWeight(release: Release): Budget {
  const brotli = (files: readonly string[]): number =>
    release.files.filter(({ path }) => files.includes(path)).reduce((sum, file) => sum + file.brotli, 0)
  return { entry: brotli([release.entry]), firstRoute: brotli(release.chunks['./App'] ?? release.initial) }
}
