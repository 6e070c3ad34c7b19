import * as account from '@dmp/contract/account'
import * as inbox from '@dmp/contract/inbox'
import type { ServerFrame } from '@dmp/contract/live'
import { call, refresh, reportError, session, settings } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'
import { checkTokens } from '../checkTokens.ts'
import { showIdleWarning } from '../idle.ts'
import { openLiveChannel, type LiveClient } from './liveClient.ts'
import { liveTexts } from './liveTexts.ts'

/** The address of the live channel (7.41). The access token is not part of it; it goes in the first message. */
export function createLiveUrl(sessionId: string): string {
  const { liveUrl, clientId } = settings()
  const url = new URL(liveUrl, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  url.search = new URLSearchParams({ sessionId, clientId }).toString()
  return url.href
}

/** Opens the session's live channel, whose messages update the session's state. */
export function openSessionChannel(sessionId: string): LiveClient {
  const client = openLiveChannel({
    address: () => createLiveUrl(sessionId),
    token: () => session.get().tokens?.accessToken ?? null,
    onState: (live) => session.show({ live }),
    onFrame: (frame) => void handleFrame(frame),
    onLogout: () => void session.end(liveTexts.ended),
    onError(error, closeCode) {
      notify.error(error.message)
      reportError(
        new Error(
          `${error.message} (code ${error.code}, close code ${closeCode}, service ${new URL(createLiveUrl('')).pathname})`,
        ),
        'host/live',
      )
      // An error of the channel does not end the session; the server decides.
      validateToken()
    },
  })
  return client
}

/** 7.40, 7.41: checks whether the token is still valid. A 401 ends the session by itself; no answer changes nothing. */
export function validateToken(): void {
  if (session.isValid()) call(account.validateToken, {}).catch(() => undefined)
}

async function handleFrame({ type }: ServerFrame): Promise<void> {
  if (type === 'idleTimeout') showIdleWarning()
  // Another tab has renewed: its tokens are in the shared storage, and `useDuties` sends what this tab adopts. To renew
  // here without need would tell the other tab in turn, which would go on for ever (4.12).
  if (type === 'renewToken') await checkTokens()
  // Something is new, or was read in another tab or on another device.
  if (type === 'inbox' && session.isValid()) refresh([inbox.count, inbox.list])
  // Policy, role or status changed: update the open page.
  if (type === 'profile' && session.isValid())
    await call(account.profile, {})
      .then((user) => session.storeUser(user))
      .catch(() => undefined)
}
