import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { ComplaintAddScreen } from './add/ComplaintAddScreen.tsx'
import { ComplaintDetailScreen } from './detail/ComplaintDetailScreen.tsx'
import { ComplaintListScreen } from './list/ComplaintListScreen.tsx'

/** Complaints raised against modules (clauses 2.10-2.12). */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/complaint" element={<ComplaintListScreen />} />
      <Route path="/complaint/detail/:id" element={<ComplaintDetailScreen />} />
      <Route path="/complaint/add" element={<ComplaintAddScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
