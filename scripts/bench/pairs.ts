export interface RatioOfPairs {
  readonly median: number
  /** The median of all pairs lies between them in 95 of 100 such runs, however the times are distributed. */
  readonly low: number
  readonly high: number
}

/**
 * The median of the ratios of pairs, with its confidence interval by ranks (binomial). With fewer than six pairs there
 * is none of 95 %, and the least and the most are given.
 */
export function ratioOfPairs(pairs: readonly (readonly [ours: number, theirs: number])[]): RatioOfPairs {
  const ratios = pairs.map(([ours, theirs]) => ours / theirs).sort((a, b) => a - b)
  const at = (rank: number): number => ratios[rank] ?? Number.NaN
  const last = ratios.length - 1
  let rank = -1
  let below = 0
  for (let probability = 0.5 ** ratios.length; below + probability <= 0.025;) {
    rank += 1
    below += probability
    probability *= (ratios.length - rank) / (rank + 1)
  }
  const end = Math.max(0, rank)
  return { median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2, low: at(end), high: at(last - end) }
}
