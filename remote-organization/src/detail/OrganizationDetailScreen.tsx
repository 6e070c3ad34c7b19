import { organization } from '@dmp/contract'
import { useLookup } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { FirstSteps } from '../setup/FirstSteps.tsx'
import { OrganizationDetail } from '../shared/OrganizationDetail.tsx'

export function OrganizationDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(organization.get, { id })
  const heading = 'Organization Detail'
  return (
    <Screen
      title={item?.name ?? heading}
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Organization', url: '/organization' },
        { name: item?.name ?? 'Detail' },
      ]}
    >
      <FirstSteps id={id} />
      <OrganizationDetail id={id} editPath={`/organization/update/${id}`} />
    </Screen>
  )
}
