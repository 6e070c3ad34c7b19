import { lastActive, recordActivity, session, sessionTexts, settings } from '@dmp/kit'
import { limits } from '@dmp/contract/limits'

const minuteMs = 60_000

export interface IdleTimes {
  readonly idleMinutes: number
  readonly timeoutMinutes: number
}

export type IdleState =
  | { readonly state: 'active' }
  | { readonly state: 'warning'; readonly until: number }
  | { readonly state: 'timed out' }

/** 4.13: the idle state of a user who was last active at `last`. */
export function toIdleState(last: number, now: number, { idleMinutes, timeoutMinutes }: IdleTimes): IdleState {
  const until = last + (idleMinutes + timeoutMinutes) * minuteMs
  if (now >= until) return { state: 'timed out' }
  return now >= last + idleMinutes * minuteMs ? { state: 'warning', until } : { state: 'active' }
}

/** Opens the warning, closes it, or ends the session, by the clock. Calls `warn` when the warning opens. */
export function checkIdle(warn: () => void, now: number = Date.now()): void {
  if (!session.get().tokens) return
  const { idle } = session.get()
  const last = lastActive()
  // No activity is recorded, for example after the storage was cleared: the count starts now.
  if (last === 0) return recordActivity(now)
  const verdict = toIdleState(last, now, settings().idle)
  if (verdict.state === 'timed out' || (idle.state === 'warning' && now >= idle.until))
    return void session.end(sessionTexts.idledOut)
  if (idle.state === 'active' && verdict.state === 'warning') {
    session.show({ idle: verdict })
    warn()
  }
  // The user was active in another tab. A warning from the live channel stays until there is activity here.
  if (idle.state === 'warning' && !idle.isFromLive && verdict.state === 'active')
    session.show({ idle: { state: 'active' } })
}

/** Tolerance between the timers of two tabs that find the same idling. */
const tabClockToleranceMs = 2000

/**
 * Opens the warning for an idleTimeout of the live channel (2.40, 4.14), with its own wording if this browser saw
 * activity.
 */
export function showIdleWarning(now: number = Date.now()): void {
  const { tokens, idle } = session.get()
  if (!tokens || idle.state !== 'active') return
  const verdict = toIdleState(lastActive(), now + tabClockToleranceMs, settings().idle)
  session.show({
    idle:
      verdict.state === 'warning'
        ? verdict
        : { state: 'warning', until: now + settings().idle.timeoutMinutes * minuteMs, isFromLive: true },
  })
}

const mouseEvents = ['click', 'mousedown', 'wheel', 'scroll'] as const
const otherEvents = ['keydown', 'touchstart'] as const

/**
 * Records activity (4.13) while the access token is valid, mouse activity at most every 500 ms. Returns a stop
 * function.
 */
export function startActivityWatch(warn: () => void): () => void {
  let lastMouse = 0
  const act = (): void => {
    // After the computer slept, the first click must not revive a session that has timed out.
    checkIdle(warn)
    if (session.isValid()) recordActivity()
  }
  const actByMouse = (): void => {
    const now = Date.now()
    if (now - lastMouse < limits.mouseThrottleMs) return
    lastMouse = now
    act()
  }
  const options = { capture: true, passive: true }
  for (const kind of mouseEvents) window.addEventListener(kind, actByMouse, options)
  for (const kind of otherEvents) window.addEventListener(kind, act, options)
  return () => {
    for (const kind of mouseEvents) window.removeEventListener(kind, actByMouse, options)
    for (const kind of otherEvents) window.removeEventListener(kind, act, options)
  }
}
