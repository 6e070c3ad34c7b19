import type { release } from '@dmp/contract'
import type { JourneyResult, Quality, Round, ShownJourney, Trial } from '@dmp/contract/releaseRounds'
import { findKept } from '@dmp/release/kept'
import { readRegistry, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { toCookieName } from '../../core/caller.ts'
import { sharedNow } from '../../core/clock.ts'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Db } from '../../db/client.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sealGrant } from '../override/grant.ts'
import { findWatched, withdraw, type RollbackDependencies } from './autoRollback.ts'
import {
  addVerdict,
  endTrial,
  findRoundOnTrial,
  keepRound,
  listResults,
  listRounds,
  toTeller,
  type KeptTrial,
} from './rounds.repository.ts'

type RoundDependencies = RollbackDependencies & Pick<Dependencies, 'keys'>
type RoundHandlers = Pick<Handlers<typeof release>, 'addRound' | 'judgeRound' | 'getQuality'>

/** A round rarely finds more than one bad part; more would make its trials take too long. */
const mostTrials = 3
const grantMinutes = 15

const isFailed = ({ outcome }: JourneyResult): boolean => outcome === 'failed'

/**
 * What journeys say about releases. A monitor takes a release back when a journey that names its part failed twice on
 * it and passes with the release before (docs/decisions/0106-monitors.md).
 */
export const roundHandlers = (deps: RoundDependencies, store: ReleaseStore): RoundHandlers => {
  const { db } = deps
  return {
    addRound: async (round, { viewer }) => {
      const suspects = round.kind === 'monitor' ? await listSuspects(deps, store, round) : []
      const hasFailed = round.kind === 'monitor' && round.journeys.some(isFailed)
      const id = await keepRound(db, viewer, {
        round,
        trials: suspects,
        verdict:
          hasFailed && suspects.length === 0
            ? 'Nothing was taken back: no release that the failed journeys name is watched.'
            : null,
      })
      return { id, trials: suspects.map((trial) => ({ ...trial, cookie: createCookie(deps, trial) })) }
    },

    judgeRound: async ({ id, part, passed }, context) => {
      const round = await findRoundOnTrial(db, context.viewer, id)
      const trial = round?.trials.find((candidate) => candidate.part === part)
      if (round === undefined || trial === undefined || !(await endTrial(db, id, trial)))
        throw new Refusal(409, 'NOT_POSSIBLE', 'Nothing is waited for here. Tell of a new round first.')
      const proof = round.journeys.find(
        (journey) => isFailed(journey) && journey.parts.includes(part) && passed.includes(journey.title),
      )
      const [isTakenBack, because] =
        proof === undefined
          ? ([false, `${part} stays: its journeys fail with the release before as well.`] as const)
          : await takeBack(deps, store, context, trial, proof)
      await addVerdict(db, id, because)
      return { isTakenBack, because }
    },

    getQuality: () => getQuality(db, store),
  }
}

/** The releases that the failed journeys name and that may be taken back, each with the one before it. */
async function listSuspects(deps: RoundDependencies, store: ReleaseStore, round: Round): Promise<KeptTrial[]> {
  const registry = await readRegistry(store)
  if (registry === undefined || !deps.settings.releaseWatch) return []
  const named = new Set(round.journeys.filter(isFailed).flatMap(({ parts }) => parts))
  const suspects: KeptTrial[] = []
  for (const release of round.parts.filter(({ name }) => named.has(name))) {
    const previous = (await findWatched(deps.settings, store, registry, release))?.previous
    if (previous === undefined || suspects.length === mostTrials) continue
    // Some pages have a canary in its place: which of the two failed is not certain.
    if (registry.canaries?.some(({ name, releaseId }) => name === release.name && releaseId !== release.releaseId))
      continue
    if ((await findKept(store, release)) === undefined)
      suspects.push({ part: release.name, releaseId: release.releaseId, previous })
    else
      deps.log.error(
        { part: release.name, release: release.releaseId },
        'a release that is kept fails the journeys of a monitor; only a person can take it back',
      )
  }
  return suspects
}

/** What is tried was live already, so that the grant needs nobody's session; it ends after some minutes. */
function createCookie({ keys, settings }: RoundDependencies, { part, previous }: KeptTrial): Trial['cookie'] {
  const expires = sharedNow() + grantMinutes * 60_000
  const grant = { overrides: { [part]: previous }, family: '', userId: '', expires, isTrial: true } as const
  return `${toCookieName(settings, 'dmp-overrides')}=${sealGrant(keys, grant)}`
}

async function takeBack(
  deps: RoundDependencies,
  store: ReleaseStore,
  context: Context,
  { part, releaseId, previous }: KeptTrial,
  { title, sentence = 'it failed' }: JourneyResult,
): Promise<readonly [boolean, string]> {
  const release = { name: part, releaseId }
  const registry = await readRegistry(store)
  const watched = registry && deps.settings.releaseWatch && (await findWatched(deps.settings, store, registry, release))
  // Minutes have passed: somebody may have decided meanwhile.
  if (!watched || watched.previous !== previous || (await findKept(store, release)) !== undefined)
    return [false, `${part} stays: its release is not watched any more.`]
  const reason = `“${title}” failed twice with it (${sentence}), and passes with the release before.`
  const by = toTeller(context.viewer)
  const { wasCanary } = watched
  return (await withdraw(deps, store, release, { wasCanary, by, reason, context }))
    ? [true, `${part}: ${wasCanary ? 'the canary was stopped' : 'rolled back'}. ${reason}`]
    : [false, `${part} could not be taken back: somebody else changed it, or the release before does not fit.`]
}

async function getQuality(db: Db, store: ReleaseStore): Promise<Quality> {
  const snapshot = (await readRegistry(store))?.live ?? null
  const results = snapshot === null ? [] : await listResults(db, snapshot)
  const journeys = new Map<string, ShownJourney>()
  for (const { journeys: told, ended_date } of results)
    for (const journey of told) {
      const key = `${journey.area} ${journey.title}`
      const known = journeys.get(key)
      // One that could not run says nothing about what an earlier one saw.
      if (known === undefined || (known.outcome === 'skipped' && journey.outcome !== 'skipped'))
        journeys.set(key, { ...journey, sentence: journey.sentence ?? null, date: ended_date.toISOString() })
    }
  return {
    snapshot,
    journeys: [...journeys.values()],
    untried: toList(results.find(({ untried }) => untried !== null)?.untried),
    rounds: await listRounds(db),
  }
}

const toList = (ids: readonly string[] | null | undefined): string[] | null => (ids ? [...ids] : null)
