import { Route, Routes } from '@dmp/kit/router'
import { DashboardScreen } from '../dashboard/DashboardScreen.tsx'
import { NotAuthorizedScreen } from '../not-authorized/NotAuthorizedScreen.tsx'
import { NotFoundScreen } from '../not-found/NotFoundScreen.tsx'
import { TermsScreen } from '../terms/TermsScreen.tsx'

/** The host's own routes. */
export function HostPages() {
  return (
    <Routes>
      <Route path="/dashboard" element={<DashboardScreen />} />
      <Route path="/not-authorized/:module/:action" element={<NotAuthorizedScreen />} />
      <Route path="/terms" element={<TermsScreen />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}
