import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { Button, UploadOutlined } from '@dmp/kit/ui'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import { ScanTable } from './ScanTable.tsx'

export function ScanListScreen() {
  const navigate = useNavigate()
  const mayUpload = useCan(may('Scan', 'Upload'))
  const toUpload = () => navigate('/scan/upload')
  const upload = mayUpload && (
    <Button icon={<UploadOutlined aria-hidden />} onClick={toUpload}>
      Upload
    </Button>
  )
  const first = mayUpload && (
    <Button type="primary" onClick={toUpload}>
      Upload the first scans
    </Button>
  )
  return (
    <Screen title="Scans" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]} actions={upload}>
      <ScanOrganization>
        {(organization) => (
          <ScanTable
            organizationId={organization.id}
            toolbar={<OrganizationChoice {...organization} />}
            empty={first}
          />
        )}
      </ScanOrganization>
    </Screen>
  )
}

function OrganizationChoice({ id, choices, choose }: ShownOrganization) {
  if (!choices || !choose) return null
  return (
    <Choice
      label="Organization"
      options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
      value={id}
      onChange={choose}
    />
  )
}
