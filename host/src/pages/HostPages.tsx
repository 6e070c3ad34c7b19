import { Waiting } from '@dmp/kit/screen'
import { Route, Routes } from '@dmp/kit/router'
import { lazy, Suspense } from 'react'
import { DashboardScreen } from '../dashboard/DashboardScreen.tsx'
import { NotAuthorizedScreen } from '../not-authorized/NotAuthorizedScreen.tsx'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { TermsScreen } from '../terms/TermsScreen.tsx'

// Few people use them, and hardly ever as their first page.
const PlatformScreen = lazy(() => import('../platform/PlatformScreen.tsx'))
const PartScreen = lazy(() => import('../platform/PartScreen.tsx'))
const QualityScreen = lazy(() => import('../platform/QualityScreen.tsx'))
const InboxScreen = lazy(() => import('../inbox/InboxScreen.tsx'))

/** The host's own routes. */
export function HostPages() {
  return (
    <Routes>
      <Route path="/dashboard" element={<DashboardScreen />} />
      <Route path="/not-authorized/:module/:action" element={<NotAuthorizedScreen />} />
      <Route
        path="/inbox"
        element={
          <Suspense fallback={<Waiting />}>
            <InboxScreen />
          </Suspense>
        }
      />
      <Route
        path="/platform"
        element={
          <Suspense fallback={<Waiting />}>
            <PlatformScreen />
          </Suspense>
        }
      />
      <Route
        path="/platform/part/:part"
        element={
          <Suspense fallback={<Waiting />}>
            <PartScreen />
          </Suspense>
        }
      />
      <Route
        path="/platform/quality"
        element={
          <Suspense fallback={<Waiting />}>
            <QualityScreen />
          </Suspense>
        }
      />
      <Route path="/terms" element={<TermsScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}
