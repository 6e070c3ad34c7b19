import { clearTab } from './clearTab.ts'
import { stored, storageKeys } from './storage.ts'
import { useSessionStore } from './store.ts'
import { sessionTexts } from './texts.ts'
import { areValid } from './tokens.ts'
import { hasUnsaved } from './unsaved.ts'

/** Messages between tabs, besides storage events. */
export type TabMessage = { readonly type: 'ended'; readonly reason: string | null }

const { getState, setState } = useSessionStore
let channel: BroadcastChannel | undefined

export function broadcast(message: TabMessage): void {
  channel?.postMessage(message)
}

/**
 * Follows the other tabs: sign-in, sign-out, renewal, activity, account switch. The host calls it once; returns a
 * function that stops it.
 * `onOtherUser`: another user has signed in, who must not see this page.
 */
export function followTabs({ onOtherUser }: { readonly onOtherUser: () => void }): () => void {
  channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('dmp-session') : undefined
  const hear = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'ended') endInTab(data.reason)
  }
  channel?.addEventListener('message', hear)

  const see = ({ key }: StorageEvent) => {
    if (key === storageKeys.lastActive && getState().idle.state !== 'active' && stored.lastActive() > 0)
      setState({ idle: { state: 'active' } })
    if (key === storageKeys.tokens || key === storageKeys.user || key === null) takeOver(onOtherUser)
  }
  window.addEventListener('storage', see)

  return () => {
    window.removeEventListener('storage', see)
    channel?.close()
    channel = undefined
  }
}

// A sign-out in another tab must not discard unsaved input of this one.
function endInTab(reason: string | null): void {
  if (getState().tokens) clearTab(reason ?? (hasUnsaved() ? sessionTexts.signedOutElsewhere : null))
}

function takeOver(onOtherUser: () => void): void {
  const tokens = stored.tokens()
  const user = stored.user()
  const mine = getState()
  if (!tokens) {
    // The channel usually delivers the reason first; without one, this counts as a plain sign-out.
    setTimeout(() => {
      if (!stored.tokens()) endInTab(null)
    }, 100)
    return
  }
  if (!areValid(tokens) || !user) return
  setState({ tokens, user, endedBecause: null, hasLeft: false, asksPassword: false })
  if (mine.user && mine.user.email !== user.email) onOtherUser()
}
