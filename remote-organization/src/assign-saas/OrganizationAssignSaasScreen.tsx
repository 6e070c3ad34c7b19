import { organization } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { firstPerSaas } from '../shared/firstPerSaas.ts'
import { LicenseForm } from './LicenseForm.tsx'

export function OrganizationAssignSaasScreen() {
  const { id = '' } = useParams()
  return (
    <Screen
      title="Assign SaaS"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Organization', url: '/organization' },
        { name: 'Detail', url: `/organization/detail/${id}` },
        { name: 'Assign SaaS' },
      ]}
    >
      <AssignSaas id={id} />
    </Screen>
  )
}

function AssignSaas({ id }: { id: string }) {
  const { name, updatedDate } = useData(organization.get, { id })
  const licenses = firstPerSaas(useData(organization.listLicenses, { id }))
  return <LicenseForm id={id} name={name} updatedDate={updatedDate} licenses={licenses} />
}
