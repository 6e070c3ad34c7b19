import { stored } from './storage.ts'
import { useSessionStore } from './store.ts'

/** Records activity of the person for all tabs (4.13), and closes the idle warning. */
export function recordActivity(now: number = Date.now()): void {
  stored.writeLastActive(now)
  if (useSessionStore.getState().idle.state !== 'active') useSessionStore.setState({ idle: { state: 'active' } })
}

/** When the person was last active in any tab, ms since 1970; 0 when unknown. */
export function lastActive(): number {
  return stored.lastActive()
}
