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

/** 4.13: where somebody stands who was last active then. */
export function toIdleState(last: number, now: number, { idleMinutes, timeoutMinutes }: IdleTimes): IdleState {
  const until = last + (idleMinutes + timeoutMinutes) * minuteMs
  if (now >= until) return { state: 'timed out' }
  return now >= last + idleMinutes * minuteMs ? { state: 'warning', until } : { state: 'active' }
}

/**
 * Looks at the clock once: opens the warning, closes it, or ends the session. `warn` is called when the warning opens.
 */
export function checkIdle(warn: () => void, now: number = Date.now()): void {
  if (!session.get().tokens) return
  const { idle } = session.get()
  const last = lastActive()
  // Nothing recorded, as after the storage was cleared by hand: the count starts now.
  if (last === 0) return recordActivity(now)
  const verdict = toIdleState(last, now, settings().idle)
  if (verdict.state === 'timed out' || (idle.state === 'warning' && now >= idle.until))
    return void session.end(sessionTexts.idledOut)
  if (idle.state === 'active' && verdict.state === 'warning') {
    session.show({ idle: verdict })
    warn()
  }
  // Somebody was active in another tab; a warning by the live channel stands until somebody is active here.
  if (idle.state === 'warning' && !idle.isFromLive && verdict.state === 'active')
    session.show({ idle: { state: 'active' } })
}

/** How far the clocks of two tabs may be apart when both find that nobody is there. */
const tabClockToleranceMs = 2000

/** A live-channel idleTimeout (2.40, 4.14): the warning opens, with words of its own where this browser did not see the idling itself. */
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

/** Records what counts as activity (4.13) while the access token is valid; mouse activity at most every 500 ms. */
export function startActivityWatch(warn: () => void): () => void {
  let lastMouse = 0
  const act = (): void => {
    // After a closed lid the first click must not revive a session that has timed out.
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
