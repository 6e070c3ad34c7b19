import { Navigate, Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { RegistrationDetailScreen } from './detail/RegistrationDetailScreen.tsx'
import { RegistrationListScreen } from './list/RegistrationListScreen.tsx'
import { RegisterScreen } from './register/RegisterScreen.tsx'

/** Registrations of new customers (2.17, 2.18) and the public form (2.07). */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/register" element={<RegisterScreen />} />
      <Route path="/registration/add" element={<Navigate to="/register" replace />} />
      <Route path="/registration" element={<RegistrationListScreen />} />
      <Route path="/registration/detail/:id" element={<RegistrationDetailScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
