import { followTabs, forgetUnsaved, lastActive, session, settings, useSession } from '@dmp/kit'
import { useEffect, useRef } from 'react'
import { startInterval } from './startInterval.ts'
import { checkIdle, startActivityWatch } from './idle.ts'
import type { LiveClient } from './live/liveClient.ts'
import { openSessionChannel, validateToken } from './live/openSessionChannel.ts'
import { checkTokens } from './checkTokens.ts'

const idleCheckSeconds = 1

/**
 * Everything the host does for the session while the page is open. Timers, storage and sockets are outside React, hence
 * the effects.
 */
export function useDuties(): void {
  const sessionId = useSession(({ tokens }) => tokens?.sessionId)
  const accessToken = useSession(({ tokens }) => tokens?.accessToken)
  const live = useRef<LiveClient>(undefined)

  useEffect(() => followTabs({ onOtherUser }), [])

  useEffect(() => {
    if (!sessionId || settings().liveUrl === '') return
    const client = openSessionChannel(sessionId)
    live.current = client
    const stopValidating = startInterval(settings().liveValidateSeconds, validateToken)
    window.addEventListener('online', client.retry)
    return () => {
      window.removeEventListener('online', client.retry)
      stopValidating()
      client.close()
      live.current = undefined
    }
  }, [sessionId])

  // 4.12: the live channel gets the new token; a channel that gave up tries again with it.
  const sentToken = useRef(accessToken)
  useEffect(() => {
    if (accessToken && sentToken.current && accessToken !== sentToken.current) {
      if (session.get().live === 'open') live.current?.send({ type: 'renewToken', accessToken })
      else live.current?.retry()
    }
    sentToken.current = accessToken
  }, [accessToken])

  useEffect(() => {
    if (!sessionId) return
    return startInterval(settings().tokenCheckSeconds, () => {
      void checkTokens()
      // 4.12: on every tick, while the channel is open. The message says when the user was last active, so that the
      // server's own idle limit does not end the session of a user who reads without clicking.
      if (session.get().live === 'open')
        live.current?.send({ type: 'keepAlive', activeDate: new Date(lastActive()).toISOString() })
    })
  }, [sessionId])

  useEffect(() => {
    if (!sessionId || !settings().idle.required) return
    const warn = () => void (session.get().live === 'open' && live.current?.send({ type: 'idleTimeout' }))
    checkIdle(warn)
    const stopClock = startInterval(idleCheckSeconds, () => checkIdle(warn))
    const stopWatching = startActivityWatch(warn)
    return () => {
      stopClock()
      stopWatching()
    }
  }, [sessionId])

  useEffect(() => {
    if (!sessionId || settings().liveUrl !== '') return
    // 7.43: without a live channel, a ping from time to time shows whether the session is still valid.
    return startInterval(settings().pingSeconds, validateToken)
  }, [sessionId])
}

/** Another user signed in in another tab: nothing on this page belongs to them. */
function onOtherUser(): void {
  forgetUnsaved()
  location.assign('/dashboard')
}
