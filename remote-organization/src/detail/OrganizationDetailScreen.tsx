import { useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { OrganizationDetail } from '../shared/OrganizationDetail.tsx'

export function OrganizationDetailScreen() {
  const { id = '' } = useParams()
  return (
    <Screen
      title="Organization Detail"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Organization', url: '/organization' },
        { name: 'Detail' },
      ]}
    >
      <OrganizationDetail id={id} editPath={`/organization/update/${id}`} />
    </Screen>
  )
}
