import { getRoute } from '@dmp/contract/remote'
import { hasUnsaved, lastActive, session, sessionTexts, settings, useSession } from '@dmp/kit'
import { Navigate, useLocation, returnTo, toReturnState } from '@dmp/kit/router'
import { useEffect, type ReactNode } from 'react'
import { HostPages } from './HostPages.tsx'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { toIdleState } from '../session/idle.ts'
import { PublicFrame } from '../shell/PublicFrame.tsx'
import { Shell } from '../shell/Shell.tsx'
import { guardRoute } from './routeGuard.ts'
import { RemoteApp } from './RemoteApp.tsx'
import { declarations, remotes } from '../remotes/snapshot.ts'
import { useTexts } from '../remotes/useTexts.ts'

/** The page at the current address: guarded, in its frame, from the remote or host that owns it. */
export function Pages() {
  useTexts()
  const location = useLocation()
  const user = useSession((state) => state.user)
  const asksPassword = useSession((state) => state.asksPassword)
  const hasLeft = useSession((state) => state.hasLeft)
  const { pathname } = location
  // 2.02: the empty path leads to the sign-in page.
  if (pathname === '/') return <Navigate to="/login" replace />
  const decision = guardRoute(pathname, declarations(), {
    policy: user?.policy ?? null,
    isValid: asksPassword || session.isValid(),
    isIdledOut: !asksPassword && isIdledOut(),
  })

  if (decision.kind === 'sign-in')
    return <Navigate to="/login" replace state={hasLeft ? null : toReturnState(location)} />
  if (decision.kind === 'redirect') return <Navigate to={returnTo(location.state)} replace />
  if (decision.kind === 'refused')
    return <Navigate to={`/not-authorized/${decision.module}/${decision.action}`} replace />
  const ending = decision.kind === 'end-session' && (
    <EndSession reason={isIdledOut() ? sessionTexts.idledOut : sessionTexts.notValid} />
  )
  // P27: while a form has unsaved input the page stays, and a dialog asks for the password.
  if (ending && !hasUnsaved()) return ending

  const isPublic = decision.kind === 'open' ? decision.guard === 'public' || decision.guard === 'guest' : user === null
  const Frame = isPublic ? PublicFrame : Shell
  return (
    <>
      {ending}
      <Frame>{decision.kind === 'open' || ending ? renderPage(pathname) : <NotFoundScreen />}</Frame>
    </>
  )
}

function renderPage(pathname: string): ReactNode {
  const owner = getRoute(
    remotes().map(({ declaration }) => declaration),
    pathname,
  )?.owner
  const remote = remotes().find(({ declaration }) => declaration === owner)
  return remote ? <RemoteApp key={remote.declaration.name} remote={remote} /> : <HostPages />
}

/** 4.13: the user was inactive in all tabs for longer than idle time and time-out together. */
function isIdledOut(): boolean {
  const { idle } = settings()
  const last = lastActive()
  return idle.required && last > 0 && toIdleState(last, Date.now(), idle).state === 'timed out'
}

function EndSession({ reason }: { reason: string }) {
  // Ending the session tells the server and the other tabs, which is not rendering.
  useEffect(() => {
    // A stored user without tokens has no session that could be ended.
    if (session.get().tokens) void session.end(reason)
    else session.abandon()
  }, [reason])
  return null
}
