import { organization } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { CannotChange } from '../shared/CannotChange.tsx'
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
      {organization.isBuiltIn({ id }) ? <NoLicenses id={id} /> : <AssignSaas id={id} />}
    </Screen>
  )
}

function NoLicenses({ id }: { id: string }) {
  const { name } = useData(organization.get, { id })
  return (
    <CannotChange
      name={name}
      back={`/organization/detail/${id}`}
      why="The provider's own organization needs no licenses."
      next="To assign licenses to a customer organization, open its page."
    />
  )
}

function AssignSaas({ id }: { id: string }) {
  const { name, updatedDate, licenses: assigned } = useData(organization.get, { id })
  // The list is read anew after saving; who comes back at once would begin with what was.
  const licenses = firstPerSaas(useData(organization.listLicenses, { id })).map(
    (license) => assigned.find(({ licenseId }) => licenseId === license.licenseId) ?? license,
  )
  return <LicenseForm id={id} name={name} updatedDate={updatedDate} licenses={licenses} />
}
