import { createHash } from 'node:crypto'
import type { Canary, Registry, ReleaseRef } from '@dmp/contract/release'
import { move, listReleaseRefs, replaceReleases, type Author, type RegistryState, type Rollout } from './move.ts'
import { StoreError, Superseded, type ReleaseStore } from './store/ReleaseStore.ts'

/** The percentages of users that a canary grows through. */
export const canarySteps = [1, 10, 50, 100] as const

export interface CanaryShare {
  readonly percent: number
  readonly users?: readonly string[]
}

interface CanaryChange extends Author {
  /** Throws `Superseded` unless this is the release. */
  readonly from?: string
  /** Throws `Superseded` unless so many people get it: what may become of it was judged by that. */
  readonly fromPercent?: number | undefined
}

/** Gives a release to a share of the users or to named users; it replaces an earlier canary of the part. */
export function startCanary(
  store: ReleaseStore,
  { name, releaseId }: ReleaseRef,
  { percent, users = [] }: CanaryShare,
  author: Author,
): Promise<Registry> {
  return move(store, author, 'canary', (current) => {
    const { live, canaries } = getRollout(current)
    if (listReleaseRefs(live).some((ref) => ref.name === name && ref.releaseId === releaseId))
      throw new StoreError(`Release ${releaseId} of ${name} is already live for everyone.`)
    // Who was named stays so while the same release goes to more people.
    const before = canaries.find((canary) => canary.name === name && canary.releaseId === releaseId)
    const named = users.length === 0 ? (before?.users ?? []) : users
    return { live, canaries: [...without(canaries, name), { name, releaseId, percent, users: [...named] }] }
  })
}

/**
 * Gives a canary to more users: the next step, or the given share. At 100 percent the release is live and the canary
 * ends.
 */
export function promoteCanary(
  store: ReleaseStore,
  part: string,
  { percent: wanted, from, fromPercent, ...author }: CanaryChange & { readonly percent?: number },
): Promise<Registry> {
  return move(store, author, 'promote', (current) => {
    const { live, canaries } = getRollout(current)
    const canary = getCanary(canaries, part, from)
    if (fromPercent !== undefined && canary.percent !== fromPercent)
      throw new Superseded(`The canary of ${part} goes to another share of the people by now.`)
    const percent = wanted ?? canarySteps.find((step) => step > canary.percent) ?? 100
    if (percent >= 100) return { live: replaceReleases(live, [canary]), canaries: without(canaries, part) }
    return { live, canaries: [...without(canaries, part), { ...canary, percent }] }
  })
}

/** Ends a canary: its audience gets the live release with the next page. */
export function stopCanary(
  store: ReleaseStore,
  part: string,
  { from, ...author }: Omit<CanaryChange, 'fromPercent'>,
): Promise<Registry> {
  return move(store, author, 'stop', (current) => {
    const { live, canaries } = getRollout(current)
    getCanary(canaries, part, from)
    return { live, canaries: without(canaries, part) }
  })
}

/** A person who opens a page. */
export interface Person {
  /** Stable for the person, but says nothing about them. */
  readonly key: string
  isNamed(email: string): boolean
}

/** Whether a person gets a canary. People who have it keep it as its share grows. */
export function receivesCanary({ releaseId, percent, users }: Canary, { key, isNamed }: Person): boolean {
  return users.some(isNamed) || percentile(key, releaseId) < percent
}

/** Evenly spread from 0 to 100, and different for each release, so that different people go first each time. */
const percentile = (key: string, releaseId: string): number =>
  (createHash('sha256').update(`${key} ${releaseId}`).digest().readUInt32BE(0) / 2 ** 32) * 100

function getRollout(current: RegistryState | undefined): Rollout {
  if (current === undefined)
    throw new StoreError('Nothing is live in this store yet, so there can be no canary. Activate a release first.')
  return { live: current.live, canaries: current.registry.canaries ?? [] }
}

function getCanary(canaries: readonly Canary[], part: string, from: string | undefined): Canary {
  const canary = canaries.find(({ name }) => name === part)
  if (from !== undefined && canary?.releaseId !== from)
    throw new Superseded(`Release ${from} is no longer the canary of ${part}.`)
  if (canary === undefined) throw new StoreError(`${part} has no canary.`)
  return canary
}

const without = (canaries: readonly Canary[], part: string): Canary[] => canaries.filter(({ name }) => name !== part)
