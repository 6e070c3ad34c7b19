import { organization } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { useNavigate, useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { CannotChange } from '../shared/CannotChange.tsx'
import { OrganizationForm } from '../shared/OrganizationForm.tsx'

export function OrganizationUpdateScreen() {
  const { id = '' } = useParams()
  return (
    <Screen
      title="Update Organization"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Organization', url: '/organization' },
        { name: 'Detail', url: `/organization/detail/${id}` },
        { name: 'Update' },
      ]}
    >
      <OrganizationUpdate id={id} />
    </Screen>
  )
}

function OrganizationUpdate({ id }: { id: string }) {
  const navigate = useNavigate()
  const { name, updatedDate } = useData(organization.get, { id })
  const back = `/organization/detail/${id}`
  if (organization.isBuiltIn({ id }))
    return (
      <CannotChange
        name={name}
        back={back}
        why="The provider's own organization cannot be renamed."
        next="It is built in. To rename a customer organization, open its page."
      />
    )
  return <OrganizationForm id={id} name={name} updatedDate={updatedDate} onClose={() => navigate(back)} />
}
