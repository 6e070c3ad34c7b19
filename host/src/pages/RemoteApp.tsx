import type { RemoteOnPage } from '@dmp/contract/release'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { readPromise } from '../remotes/readPromise.ts'
import { loadRemote } from '../remotes/loadRemote.ts'
import { useTexts } from '../remotes/useTexts.ts'
import { RemoteBoundary } from '../remotes/RemoteBoundary.tsx'

/** A remote's routes, loaded when its address is entered. */
export function RemoteApp({ remote }: { remote: RemoteOnPage }) {
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
