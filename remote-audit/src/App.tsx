import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { AuditDetailScreen } from './detail/AuditDetailScreen.tsx'
import { AuditListScreen } from './list/AuditListScreen.tsx'

/** Recorded events: who did or viewed what, when and from where. */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/audit" element={<AuditListScreen />} />
      <Route path="/audit/detail/:id" element={<AuditDetailScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
