import { drafts } from './drafts.ts'
import { stored } from './storage.ts'
import { useSessionStore } from './store.ts'
import { hasUnsaved } from './unsaved.ts'

const signedOut = { tokens: null, asksLeave: false, idle: { state: 'active' }, live: 'off' } as const

/**
 * Clears this tab at the end of a session. If the session ended with a reason (not by the person) while something is
 * unsaved, the page stays and asks for the password (P27).
 */
export function clearTab(reason: string | null): void {
  if (reason !== null && hasUnsaved()) {
    useSessionStore.setState({ ...signedOut, endedBecause: reason, asksPassword: true })
    return
  }
  if (reason === null) drafts.removeAll()
  stored.forgetTables()
  useSessionStore.setState({
    ...signedOut,
    user: null,
    endedBecause: reason,
    hasLeft: reason === null,
    asksPassword: false,
  })
}
