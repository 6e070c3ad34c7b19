import { businessUser } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { UserAddForm } from './UserAddForm.tsx'

export function UserAddScreen() {
  return (
    <Screen
      title="Add User"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'User', url: '/user' }, { name: 'Add' }]}
    >
      <UserAdd />
    </Screen>
  )
}

function UserAdd() {
  return <UserAddForm roles={useData(businessUser.listAddUserRoles, {})} />
}
