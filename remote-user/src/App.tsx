import { Route, Routes, type RemoteProps } from '@dmp/kit/router'
import { UserAddScreen } from './add/UserAddScreen.tsx'
import { UserDetailScreen } from './detail/UserDetailScreen.tsx'
import { UserEditScreen } from './edit/UserEditScreen.tsx'
import { UserListScreen } from './list/UserListScreen.tsx'

/** Business users (2.21-2.24). */
export function App({ notFound }: RemoteProps) {
  return (
    <Routes>
      <Route path="/user" element={<UserListScreen />} />
      <Route path="/user/detail/:id" element={<UserDetailScreen />} />
      <Route path="/user/add" element={<UserAddScreen />} />
      <Route path="/user/edit/:id" element={<UserEditScreen />} />
      <Route path="*" element={notFound} />
    </Routes>
  )
}
