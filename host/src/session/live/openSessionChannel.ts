import * as account from '@dmp/contract/account'
import type { ServerFrame } from '@dmp/contract/live'
import { call, reportError, session, settings } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'
import { showIdleWarning } from '../idle.ts'
import { openLiveChannel, type LiveClient } from './liveClient.ts'
import { liveTexts } from './liveTexts.ts'

/** Address of the live channel (7.41); the access token is not in it, it goes in the first message. */
export function createLiveUrl(sessionId: string): string {
  const { liveUrl, clientId } = settings()
  const url = new URL(liveUrl, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  url.search = new URLSearchParams({ sessionId, clientId }).toString()
  return url.href
}

/** The session's live channel: what it says becomes the session's state. */
export function openSessionChannel(sessionId: string): LiveClient {
  const client = openLiveChannel({
    address: () => createLiveUrl(sessionId),
    token: () => session.get().tokens?.accessToken ?? null,
    onState: (live) => session.show({ live }),
    onFrame: (frame) => void handleFrame(frame, () => client),
    onLogout: () => void session.end(liveTexts.ended),
    onError(error, closeCode) {
      notify.error(error.message)
      reportError(
        new Error(
          `${error.message} (code ${error.code}, close code ${closeCode}, service ${new URL(createLiveUrl('')).pathname})`,
        ),
        'host/live',
      )
      // The channel's opinion is not the session's end; the server is asked.
      validateToken()
    },
  })
  return client
}

/** 7.40, 7.41: asks whether the token is still good; a 401 ends the session by itself, no answer means nothing. */
export function validateToken(): void {
  if (session.isValid()) call(account.validateToken, {}).catch(() => undefined)
}

async function handleFrame({ type }: ServerFrame, client: () => LiveClient): Promise<void> {
  if (type === 'idleTimeout') showIdleWarning()
  if (type === 'renewToken') {
    const before = session.get().tokens?.accessToken
    await session.renew()
    const now = session.get().tokens?.accessToken
    // Renewed ones are told by whoever follows the session; the same one has to be said again.
    if (now && now === before) client().send({ type: 'renewToken', accessToken: now })
  }
  // Policy, role or status changed: the open page follows.
  if (type === 'profile' && session.isValid())
    await call(account.profile, {})
      .then((user) => session.storeUser(user))
      .catch(() => undefined)
}
