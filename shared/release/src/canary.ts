import { createHash } from 'node:crypto'
import type { Canary, Registry, ReleaseRef } from '@dmp/contract/release'
import { move, partsOf, replaceReleases, type Author } from './move.ts'
import { StoreError, Superseded, type ReleaseStore } from './store/ReleaseStore.ts'

/** The shares of users that a canary grows through. */
export const canarySteps = [1, 10, 50, 100] as const

export interface CanaryShare {
  readonly percent: number
  readonly users?: readonly string[]
}

interface CanaryChange extends Author {
  /** Throws `Superseded` unless this is the release. */
  readonly from?: string
}

/** Gives a release of one part to a share of the users, or to named ones; an earlier canary of the part is replaced. */
export function startCanary(
  store: ReleaseStore,
  { name, releaseId }: ReleaseRef,
  { percent, users = [] }: CanaryShare,
  author: Author,
): Promise<Registry> {
  return move(store, author, 'canary', (before) => {
    const { live, canaries } = getRollout(before)
    if (partsOf(live).some((ref) => ref.name === name && ref.releaseId === releaseId))
      throw new StoreError(`Release ${releaseId} of ${name} is live for everybody already.`)
    return { live, canaries: [...without(canaries, name), { name, releaseId, percent, users: [...users] }] }
  })
}

/**
 * Gives a canary to more users: to the next of the steps, or to the given share. At 100 percent it is live for everybody and no
 * canary any more.
 */
export function promoteCanary(
  store: ReleaseStore,
  name: string,
  { percent: wanted, from, ...author }: CanaryChange & { readonly percent?: number },
): Promise<Registry> {
  return move(store, author, 'promote', (before) => {
    const { live, canaries } = getRollout(before)
    const canary = getCanary(canaries, name, from)
    const percent = wanted ?? canarySteps.find((step) => step > canary.percent) ?? 100
    if (percent >= 100) return { live: replaceReleases(live, [canary]), canaries: without(canaries, name) }
    return { live, canaries: [...without(canaries, name), { ...canary, percent }] }
  })
}

/** Takes a canary back: whoever had it gets the live release at the next page. */
export function stopCanary(store: ReleaseStore, name: string, { from, ...author }: CanaryChange): Promise<Registry> {
  return move(store, author, 'stop', (before) => {
    const { live, canaries } = getRollout(before)
    getCanary(canaries, name, from)
    return { live, canaries: without(canaries, name) }
  })
}

/** Somebody to whom a page is given. */
export interface Person {
  /** Stable for the person, says nothing about them. */
  readonly key: string
  isNamed(email: string): boolean
}

/** Whether a person gets a canary. Stable while the release is the same: nobody falls out of it when the share grows. */
export function receivesCanary({ releaseId, percent, users }: Canary, { key, isNamed }: Person): boolean {
  return users.some(isNamed) || percentile(key, releaseId) < percent
}

/** A number from 0 up to 100, even over people, and another one for each release: not always the same people go first. */
const percentile = (key: string, releaseId: string): number =>
  (createHash('sha256').update(`${key} ${releaseId}`).digest().readUInt32BE(0) / 2 ** 32) * 100

type BeforeMove = Parameters<Parameters<typeof move>[3]>[0]

function getRollout(before: BeforeMove) {
  if (before === undefined)
    throw new StoreError('Nothing is live in this store yet; a canary stands beside what is live.')
  return { live: before.live, canaries: before.registry.canaries ?? [] }
}

function getCanary(canaries: readonly Canary[], name: string, from: string | undefined): Canary {
  const found = canaries.find((canary) => canary.name === name)
  if (from !== undefined && found?.releaseId !== from)
    throw new Superseded(`Release ${from} is not the canary of ${name} any more.`)
  if (found === undefined) throw new StoreError(`There is no canary of ${name}.`)
  return found
}

const without = (canaries: readonly Canary[], name: string): Canary[] =>
  canaries.filter((canary) => canary.name !== name)
