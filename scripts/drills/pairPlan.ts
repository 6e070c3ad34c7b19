import type { Release } from '../../shared/contract/src/release.ts'
import { findIncompatibilities, type Incompatibility } from '../../shared/release/src/preflight/compatibility.ts'

/** One release of a part that takes part in the comparison. */
export interface AgedRelease {
  readonly release: Release
  readonly age: 'now' | 'before'
}

/** Releases that are composed together: one of each part. */
export type CandidateComposition = readonly AgedRelease[]

export interface PairPlan {
  readonly rows: readonly CandidateComposition[]
  /** Pairs that cannot go live together, and why. */
  readonly refused: readonly { readonly pair: readonly [AgedRelease, AgedRelease]; readonly refusal: Incompatibility }[]
}

/** Why two releases cannot be live together; undefined where they can. */
export function findRefusal(a: Release, b: Release): Incompatibility | undefined {
  const [host, ...remotes] = a.name === 'host' ? [a, b] : b.name === 'host' ? [b, a] : [createPermissiveHost(a), a, b]
  return findIncompatibilities(host!, remotes).find(({ parties }) =>
    parties.every((party) => party === a.name || party === b.name),
  )
}

/** Provides whatever the two ask for: between remotes only the addresses count. */
const createPermissiveHost = (like: Release): Release => ({
  ...like,
  name: 'host',
  declaration: undefined,
  provides: {},
})

/**
 * Compositions in which every pair of releases of different parts stands together at least once, as few as can be
 * (six for eight parts in two ages, where all combinations would be 256).
 */
export function createPairPlan(levels: readonly AgedRelease[]): PairPlan {
  const names = [...new Set(levels.map(({ release }) => release.name))]
  const open = new Map<string, readonly [AgedRelease, AgedRelease]>()
  const refused: { pair: readonly [AgedRelease, AgedRelease]; refusal: Incompatibility }[] = []
  for (const [index, a] of levels.entries()) {
    for (const b of levels.slice(index + 1)) {
      if (a.release.name === b.release.name) continue
      const refusal = findRefusal(a.release, b.release)
      if (refusal === undefined) open.set(toPairKey(a, b), [a, b])
      else refused.push({ pair: [a, b], refusal })
    }
  }
  const isRefused = new Set(refused.map(({ pair: [a, b] }) => toPairKey(a, b)))
  const rows: CandidateComposition[] = []
  const add = (row: CandidateComposition): void => {
    if (!pairsIn(row).some((key) => open.has(key))) return
    for (const key of pairsIn(row)) open.delete(key)
    // Two remotes that no host can carry together are never live together either.
    if (row.some(({ release }) => release.name === 'host')) rows.push(row)
  }
  const free = listFree(
    names,
    refused.map(({ pair }) => pair),
  )
  for (const preferred of createDesign(names, levels, free))
    add(composeAround([], preferred, names, levels, open, isRefused))
  for (let next = open.values().next().value; next !== undefined; next = open.values().next().value) {
    add(composeAround(next, [], names, levels, open, isRefused))
  }
  return { rows, refused }
}

/**
 * The parts that may have either age whatever the others have. Where an older host refuses every remote of now, that is
 * all of them but the host: it stays at now in the design, and before is composed around it afterwards.
 */
function listFree(
  names: readonly string[],
  refused: readonly (readonly [AgedRelease, AgedRelease])[],
): ReadonlySet<string> {
  const free = new Set(names)
  let open = refused.map((pair) => pair.map(({ release }) => release.name))
  while (open.length > 0) {
    const refusals = (name: string): number => open.filter((pair) => pair.includes(name)).length
    const tied = [...free].reduce((most, name) => (refusals(name) > refusals(most) ? name : most))
    free.delete(tied)
    open = open.filter((pair) => !pair.includes(tied))
  }
  return free
}

/**
 * The least compositions in which any two parts show all four combinations of their ages (Kleitman and Spencer): one
 * all of now, and in n − 1 more each part is of before in another choice of half of them, so that no two parts go in
 * step.
 */
function createDesign(
  names: readonly string[],
  levels: readonly AgedRelease[],
  free: ReadonlySet<string>,
): AgedRelease[][] {
  const level = (name: string, age: AgedRelease['age']): AgedRelease | undefined =>
    levels.find((level) => level.release.name === name && level.age === age)
  const both = names.filter((name) => free.has(name) && level(name, 'now') && level(name, 'before'))
  const toComposition = (isBefore: (name: string) => boolean): AgedRelease[] =>
    names.flatMap(
      (name) =>
        (isBefore(name) ? level(name, 'before') : undefined) ?? level(name, 'now') ?? level(name, 'before') ?? [],
    )
  if (both.length === 0) return [toComposition(() => false)]
  let rows = 3
  while (listChoices(rows, Math.floor(rows / 2) + 1).length < both.length) rows += 1
  const choices = listChoices(rows, Math.floor(rows / 2) + 1)
  return [
    toComposition(() => false),
    ...Array.from({ length: rows }, (_, row) =>
      toComposition((name) => choices[both.indexOf(name)]?.includes(row) ?? false),
    ),
  ]
}

/** Every way to take `size` of the first `count` numbers. */
const listChoices = (count: number, size: number, from = 0): number[][] =>
  size === 0
    ? [[]]
    : Array.from({ length: Math.max(0, count - from) }, (_, index) => from + index).flatMap((value) =>
        listChoices(count, size - 1, value + 1).map((rest) => [value, ...rest]),
      )

const pairsIn = (row: CandidateComposition): string[] =>
  row.flatMap((a, at) => row.slice(at + 1).map((b) => toPairKey(a, b)))

/** Which pair, whatever the order. */
const toPairKey = (a: AgedRelease, b: AgedRelease): string =>
  [a, b]
    .map(({ release: { name, releaseId } }) => `${name} ${releaseId}`)
    .sort()
    .join(' + ')

/**
 * A composition with the given releases, beyond them the wanted ones, else those that stand in most open pairs; none
 * that is refused beside another.
 */
function composeAround(
  start: readonly AgedRelease[],
  preferredReleases: readonly AgedRelease[],
  names: readonly string[],
  levels: readonly AgedRelease[],
  open: ReadonlyMap<string, unknown>,
  isRefused: ReadonlySet<string>,
): CandidateComposition {
  const row = [...start]
  // The host first: what goes with it decides what else can be there.
  for (const name of [...names].sort((a, b) => Number(b === 'host') - Number(a === 'host'))) {
    if (row.some(({ release }) => release.name === name)) continue
    const fitting = levels.filter(
      (level) => level.release.name === name && row.every((other) => !isRefused.has(toPairKey(level, other))),
    )
    const gain = (level: AgedRelease): number =>
      (preferredReleases.includes(level) ? levels.length : 0) +
      row.filter((other) => open.has(toPairKey(level, other))).length
    const best = fitting.sort((a, b) => gain(b) - gain(a))[0]
    if (best) row.push(best)
  }
  return row
}
