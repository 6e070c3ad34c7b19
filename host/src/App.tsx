import { DataProvider } from '@dmp/kit'
import { AppRouter } from '@dmp/kit/router'
import { UnsavedGuard } from '@dmp/kit/screen'
import { ThemeProvider } from '@dmp/kit/ui'
import { useEffect } from 'react'
import { settleFrame } from './remotes/drawnPage.ts'
import { findRemote } from './remotes/prefetch.ts'
import { HostBoundary } from './pages/HostBoundary.tsx'
import { Pages } from './pages/Pages.tsx'
import { SessionDuties } from './session/SessionDuties.tsx'

/** Error boundaries from the outside in: host, remote, screen. */
export function App() {
  // The page's markup may have stood before this code.
  useEffect(() => settleFrame(findRemote(location.pathname) !== undefined), [])
  return (
    <HostBoundary>
      <ThemeProvider>
        <DataProvider>
          <AppRouter>
            <Pages />
            <SessionDuties />
            <UnsavedGuard />
          </AppRouter>
        </DataProvider>
      </ThemeProvider>
    </HostBoundary>
  )
}
