import type { release } from '@dmp/contract'
import type { PageTime, PartFigures } from '@dmp/contract/releaseFigures'
import { listReleaseRefs } from '@dmp/release/move'
import { readRegistry, readSnapshot, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { BoundedMap } from '../../../core/BoundedMap.ts'
import { sharedNow } from '../../../core/clock.ts'
import type { Handlers } from '../../../core/handlers.ts'
import type { Db } from '../../../db/client.ts'
import { readPersonCookie } from '../../../identity/personCookie.ts'
import { assertMayPart } from '../door/assertMayPart.ts'
import { readVersion } from '../errors/errors.ts'
import { recordOpenPages } from '../metrics.ts'
import { createRefuse } from '../refuseStore.ts'
import { listHeard, listOfferedReleases, type ReleaseDependencies } from '../reports.ts'
import { findWitness } from '../witness.ts'
import { listBudgets, listOpenPages, listTimes, recordTimes, replaceBudgets } from './figures.repository.ts'

/** Of one session within a day: more than people work in one, and no voice that drowns out all others. */
const timesInADay = 1000
const maxSessions = 10_000
/** Earlier releases that are shown. */
const mostEarlier = 20

type FigureHandlers = Pick<Handlers<typeof release>, 'reportTimes' | 'getFigures' | 'setBudgets'>

/** How people fare with each release of a part. */
export const figureHandlers = (deps: ReleaseDependencies, store: ReleaseStore): FigureHandlers => {
  const refuse = createRefuse(store)
  return {
    reportTimes: reportTimesHandler(deps, store),
    getFigures: async ({ part }, { viewer }) => {
      assertMayPart(viewer, part)
      return readFigures(deps.db, store, part).catch(refuse)
    },
    setBudgets: async ({ part, budgets }, context) => {
      assertMayPart(context.viewer, part)
      await deps.write(context, async ({ trx, audit }) => {
        await replaceBudgets(trx, part, budgets)
        const subject = Object.fromEntries(budgets.map(({ what, p75 }) => [what, p75]))
        await audit({ event: 'ReleaseBudgetsSet', subject: { part, ...subject } })
      })
      return readFigures(deps.db, store, part).catch(refuse)
    },
  }
}

/** Whose word counts is as with errors. */
function reportTimesHandler({ db, keys }: ReleaseDependencies, store: ReleaseStore): FigureHandlers['reportTimes'] {
  const spent = new BoundedMap<string, number>(maxSessions)
  return async ({ times }, { cookies }) => {
    const person = readPersonCookie(keys, cookies.read('dmp-audience'))
    const witness = person?.sessionId === undefined ? undefined : await findWitness(db, person.sessionId)
    if (person === undefined || witness === undefined) return null
    const offered = await listOfferedReleases(store, person)
    const isOffered = ({ part, releaseId }: PageTime): boolean => offered.has(`${part} ${releaseId}`)
    const isOpen = ({ what }: PageTime): boolean => what === 'open'
    // Pages with an earlier release are just what is asked for here.
    const earlier = await listGiven(
      store,
      times.filter((time) => isOpen(time) && !isOffered(time)),
    )
    const heard = await listHeard(store, witness, [...times.filter(isOffered), ...earlier])
    const day = new Date(sharedNow()).toISOString().slice(0, 10)
    const key = `${witness.sessionId} ${day}`
    const before = spent.get(key) ?? 0
    const counted = heard.slice(0, Math.max(0, timesInADay - before))
    spent.set(key, before + counted.length)
    await recordTimes(db, counted, day)
    await recordOpenPages(db, counted.filter(isOpen))
    return null
  }
}

/** Those that are about a release which people once were given; nobody makes others up. */
async function listGiven(store: ReleaseStore, times: readonly PageTime[]): Promise<readonly PageTime[]> {
  if (times.length === 0) return []
  const { history = [] } = (await readRegistry(store)) ?? {}
  const snapshots = await Promise.all(
    [...new Set(history.map(({ snapshot }) => snapshot))].map((id) => readSnapshot(store, id)),
  )
  const given = new Set(
    [...snapshots.flatMap(listReleaseRefs), ...history.flatMap(({ canary }) => canary ?? [])].map(
      ({ name, releaseId }) => `${name} ${releaseId}`,
    ),
  )
  return times.filter(({ part, releaseId }) => given.has(`${part} ${releaseId}`))
}

/** The releases that people get of a part; none where it is not live. */
export async function findGiven(
  store: ReleaseStore,
  part: string,
): Promise<readonly { readonly releaseId: string; readonly state: 'live' | 'canary' }[]> {
  const registry = await readRegistry(store)
  if (registry === undefined) return []
  const isOfPart = ({ name }: { readonly name: string }): boolean => name === part
  return [
    ...listReleaseRefs(await readSnapshot(store, registry.live))
      .filter(isOfPart)
      .map(({ releaseId }) => ({ releaseId, state: 'live' as const })),
    ...(registry.canaries ?? []).filter(isOfPart).map(({ releaseId }) => ({ releaseId, state: 'canary' as const })),
  ]
}

async function readFigures(db: Db, store: ReleaseStore, part: string): Promise<PartFigures> {
  const [times, open, budgets, given] = await Promise.all([
    listTimes(db, part),
    listOpenPages(db, part),
    listBudgets(db, part),
    findGiven(store, part),
  ])
  const earlier = [...new Set([...open.keys(), ...times.keys()])]
    .filter((releaseId) => given.every((ref) => ref.releaseId !== releaseId))
    .slice(0, mostEarlier)
  const refs = [...given, ...earlier.map((releaseId) => ({ releaseId, state: 'earlier' as const }))]
  return {
    part,
    releases: await Promise.all(
      refs.map(async ({ releaseId, state }) => ({
        releaseId,
        version: await readVersion(store, part, releaseId),
        state,
        openPages: open.get(releaseId)?.openPages ?? 0,
        mostOpenPages: open.get(releaseId)?.mostOpenPages ?? 0,
        times: times.get(releaseId) ?? [],
      })),
    ),
    budgets,
  }
}
