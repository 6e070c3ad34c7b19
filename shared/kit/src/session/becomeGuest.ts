import { useSessionStore } from './store.ts'
import type { StoredUser } from './types.ts'

/** Says who is at the page around this frame. The frame knows the person and their policy, and never has a token. */
export function becomeGuest(user: StoredUser | null): void {
  useSessionStore.setState({ user, tokens: null })
}
