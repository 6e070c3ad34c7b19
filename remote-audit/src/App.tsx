import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { AlertDetailScreen } from './alerts/AlertDetailScreen.tsx'
import { AlertListScreen } from './alerts/AlertListScreen.tsx'
import { AuditDetailScreen } from './detail/AuditDetailScreen.tsx'
import { AuditListScreen } from './list/AuditListScreen.tsx'

/** Recorded events: who did or viewed what, when and from where. */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/audit" element={<AuditListScreen />} />
      <Route path="/audit/alerts" element={<AlertListScreen />} />
      <Route path="/audit/alerts/:id" element={<AlertDetailScreen />} />
      <Route path="/audit/detail/:id" element={<AuditDetailScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
