/**
 * Time as all servers have it: that of the database, which several servers share. Between two looks at the database the
 * own clock goes on, corrected by what it was wrong (`db/clockWatch.ts`). Whatever guards something for minutes within
 * one process counts by `performance.now()` instead, which never steps.
 */
let offsetMs = 0

export const correctClock = (ms: number): void => {
  offsetMs = ms
}
export const sharedNow = (): number => Date.now() + offsetMs
export const sharedDate = (): Date => new Date(sharedNow())

/** Less than this is a clock that is being adjusted, as it should. */
const stepMs = 10_000
const unsteadyMs = 3_600_000
const drift = (): number => Date.now() - performance.now()
let knownDrift = drift()
let steppedAt = -Infinity
let untoldMs = 0

function look(): void {
  const step = drift() - knownDrift
  if (Math.abs(step) < stepMs) return
  knownDrift += step
  untoldMs += step
  steppedAt = performance.now()
}

/** By how many milliseconds the own clock stepped since this was last asked; 0 where it did not. */
export function takeClockStep(): number {
  look()
  const step = untoldMs
  untoldMs = 0
  return step
}

/** False for an hour after a step: nothing is deleted for its age by a clock that may be wrong. */
export const isClockSteady = (): boolean => {
  look()
  return performance.now() - steppedAt > unsteadyMs
}
