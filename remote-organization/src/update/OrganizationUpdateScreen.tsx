import { organization } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { useNavigate, useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
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
  return (
    <OrganizationForm
      id={id}
      name={name}
      updatedDate={updatedDate}
      onClose={() => navigate(`/organization/detail/${id}`)}
    />
  )
}
