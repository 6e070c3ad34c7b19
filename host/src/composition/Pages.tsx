import { getRoute } from '@dmp/contract/remote'
import { hasUnsaved, lastActive, session, sessionTexts, settings, useSession } from '@dmp/kit'
import { Navigate, useLocation, returnTo, toReturnState } from '@dmp/kit/router'
import { useEffect, type ReactNode } from 'react'
import { HostPages } from './HostPages.tsx'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { idleAt } from '../session/idle.ts'
import { PublicFrame } from '../shell/PublicFrame.tsx'
import { Shell } from '../shell/Shell.tsx'
import { passageTo } from './passage.ts'
import { RemoteApp } from './RemoteApp.tsx'
import { declarations, remotes } from './snapshot.ts'

/** The page at the current address: guarded, in its frame, from the part that owns it. */
export function Pages() {
  const location = useLocation()
  const user = useSession((state) => state.user)
  const asksPassword = useSession((state) => state.asksPassword)
  const hasLeft = useSession((state) => state.hasLeft)
  const { pathname } = location
  // 2.02
  if (pathname === '/') return <Navigate to="/login" replace />
  const passage = passageTo(pathname, declarations(), {
    policy: user?.policy ?? null,
    isValid: asksPassword || session.isValid(),
    isIdledOut: !asksPassword && isIdledOut(),
  })

  if (passage.kind === 'sign-in') return <Navigate to="/login" replace state={hasLeft ? null : toReturnState(location)} />
  if (passage.kind === 'send-on') return <Navigate to={returnTo(location.state)} replace />
  if (passage.kind === 'refused') return <Navigate to={`/not-authorized/${passage.module}/${passage.action}`} replace />
  const ending = passage.kind === 'end-session' && (
    <EndSession reason={isIdledOut() ? sessionTexts.idledOut : sessionTexts.notValid} />
  )
  // P27: while something typed is unsaved the page stays, and the password is asked for above it.
  if (ending && !hasUnsaved()) return ending

  const isPublic = passage.kind === 'open' ? passage.guard === 'public' || passage.guard === 'guest' : user === null
  const Frame = isPublic ? PublicFrame : Shell
  return (
    <>
      {ending}
      <Frame>{passage.kind === 'open' || ending ? pageOf(pathname) : <NotFoundScreen />}</Frame>
    </>
  )
}

function pageOf(pathname: string): ReactNode {
  const remote = getRoute(
    remotes().map(({ declaration }) => declaration),
    pathname,
  )?.owner
  const found = remotes().find(({ declaration }) => declaration === remote)
  return found ? <RemoteApp key={found.declaration.name} remote={found} /> : <HostPages />
}

/** 4.13: inactive for longer than idle time and time-out together, measured over all tabs. */
function isIdledOut(): boolean {
  const { idle } = settings()
  const last = lastActive()
  return idle.required && last > 0 && idleAt(last, Date.now(), idle).state === 'timed out'
}

function EndSession({ reason }: { reason: string }) {
  // Ending the session tells the server and the other tabs; that is not drawing.
  useEffect(() => {
    // Somebody who is remembered without any tokens has no session that could be ended.
    if (session.get().tokens) void session.end(reason)
    else session.abandon()
  }, [reason])
  return null
}
