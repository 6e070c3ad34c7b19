import type { RemoteOnPage } from '@dmp/contract/release'
import { Waiting } from '@dmp/kit/screen'
import { lazy, Suspense } from 'react'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { readPromise } from '../remotes/readPromise.ts'
import { loadRemote } from '../remotes/loadRemote.ts'
import { useTexts } from '../remotes/useTexts.ts'
import { RemoteBoundary } from '../remotes/RemoteBoundary.tsx'

// Most products have no guest.
const GuestFrame = lazy(() => import('../guests/GuestFrame.tsx'))

/** A remote's routes, loaded when its address is entered. */
export function RemoteApp({ remote }: { remote: RemoteOnPage }) {
  if (remote.guest)
    return (
      <Suspense fallback={<Waiting />}>
        <GuestFrame remote={remote} />
      </Suspense>
    )
  return (
    <RemoteBoundary key={remote.declaration.name} remote={remote}>
      <Loaded remote={remote} />
    </RemoteBoundary>
  )
}

function Loaded({ remote }: { remote: RemoteOnPage }) {
  useTexts()
  const { App } = readPromise(loadRemote(remote, './App'))
  return <App notFound={<NotFoundScreen />} />
}
