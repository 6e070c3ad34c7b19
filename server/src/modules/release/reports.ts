import type { release } from '@dmp/contract'
import type { Observation } from '@dmp/contract/releaseReport'
import { receivesCanary, type Person } from '@dmp/release/canary'
import { listReleaseRefs } from '@dmp/release/move'
import { readRegistry, readSnapshot, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Handler } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { readPersonCookie } from '../../identity/personCookie.ts'
import { checkForRollback } from './autoRollback.ts'
import { recordObservations, recordStrangers } from './metrics.ts'
import { findWitness, isShownBeforeSignIn, type Witness } from './witness.ts'

export type ReleaseDependencies = Pick<
  Dependencies,
  'db' | 'write' | 'mail' | 'log' | 'settings' | 'keys' | 'background' | 'servedPages'
>

/**
 * Everybody may tell of a release that their page can contain, but only the word of people who may sign in counts, and
 * for no more pages than were served to them (docs/decisions/0042-reports-that-count.md).
 */
export const reportHandler =
  (deps: ReleaseDependencies, store: ReleaseStore): Handler<typeof release.report> =>
  async ({ seen: observations }, { cookies }) => {
    const { db, keys, servedPages } = deps
    const person = readPersonCookie(keys, cookies.read('dmp-audience'))
    const offeredReleases = await listOfferedReleases(store, person)
    const credible = observations.filter(({ part, releaseId }) => offeredReleases.has(`${part} ${releaseId}`))
    if (credible.length === 0) return null
    const witness = person?.sessionId === undefined ? undefined : await findWitness(db, person.sessionId)
    const heard = witness ? await listHeard(store, witness, credible) : []
    await recordStrangers(
      db,
      credible.filter((observation) => isFailure(observation) && !heard.includes(observation)),
    )
    if (person === undefined || witness === undefined) return null
    const failed = await servedPages.spend(witness.sessionId, heard.filter(isFailure), 'failed')
    const loaded = await servedPages.spend(
      witness.sessionId,
      heard.filter((observation) => !isFailure(observation)),
      'loaded',
    )
    await recordObservations(db, [...failed, ...loaded], {
      toAffectedUser: (releaseId) => keys.digest('witness', `${person.key} ${releaseId}`),
      organizationId: witness.organizationId,
    })
    for (const { part, releaseId } of failed) deps.background(checkForRollback(deps, store, { name: part, releaseId }))
    return null
  }

const isFailure = ({ what }: Observation): boolean => what !== 'loaded'

/** What counts of a person's report: after the end of the session only what pages show before the next sign-in. */
export async function listHeard<O extends Pick<Observation, 'part' | 'releaseId'>>(
  store: ReleaseStore,
  { isSignedIn }: Witness,
  observations: readonly O[],
): Promise<readonly O[]> {
  if (isSignedIn) return observations
  const isHeard = await Promise.all(
    observations.map(({ part, releaseId }) => isShownBeforeSignIn(store, { name: part, releaseId })),
  )
  return observations.filter((_observation, index) => isHeard[index])
}

/** Returns the releases, as "part releaseId", that this person's pages can contain, or anybody's without a person. */
export async function listOfferedReleases(
  store: ReleaseStore,
  person: Person | undefined,
): Promise<ReadonlySet<string>> {
  const registry = await readRegistry(store)
  if (registry === undefined) return new Set()
  const canaries = (registry.canaries ?? []).filter((canary) => person && receivesCanary(canary, person))
  return new Set(
    [...listReleaseRefs(await readSnapshot(store, registry.live)), ...canaries].map(
      ({ name, releaseId }) => `${name} ${releaseId}`,
    ),
  )
}
