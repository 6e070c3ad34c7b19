import type { Release } from '@dmp/contract/release'
import * as v from 'valibot'
import deprecatedNames from '../deprecatedNames.json' with { type: 'json' }
import { releaseKey, type ReleaseStore } from '../store/ReleaseStore.ts'

/** Written by the build into every release: which names of contract and kit the part takes, by module. */
const namesFile = 'names.json'

const mostBytes = 200_000
const Names = v.record(v.string(), v.array(v.string()))

/** A name that leaves with the next major version: `@dmp/kit isPassing`, and what its doc comment says. */
export interface DeprecatedName {
  readonly name: string
  /** Since which version, and what to take instead. */
  readonly says: string
}

/** Those of contract and kit as this checkout has them; `npm run check -- --fix` writes them. */
export const knownDeprecatedNames: readonly DeprecatedName[] = Object.entries(deprecatedNames).map(([name, says]) => ({
  name,
  says,
}))

/**
 * The deprecated names that a release takes. Who takes a whole module may take all of its names.
 *
 * @returns undefined where the release does not say which names it takes: it was built by an older version, or by
 *   another bundler
 */
export async function findDeprecatedNames(
  store: ReleaseStore,
  { name, releaseId, files }: Pick<Release, 'name' | 'releaseId' | 'files'>,
  deprecated: readonly DeprecatedName[] = knownDeprecatedNames,
): Promise<DeprecatedName[] | undefined> {
  if (!files.some(({ path }) => path === namesFile)) return undefined
  const content = (await store.read(releaseKey(name, releaseId, namesFile)))?.toString('utf8') ?? ''
  if (content.length > mostBytes) return undefined
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Names), content)
  if (!success) return undefined
  const taken = new Set(Object.entries(output).flatMap(([module, names]) => names.map((one) => `${module} ${one}`)))
  return deprecated.filter((one) => taken.has(one.name) || taken.has(`${one.name.split(' ', 1)[0]} *`))
}
