import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { Button, UploadOutlined } from '@dmp/kit/ui'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import { Worklist } from './Worklist.tsx'
// In this order: what narrow screens and paper need stands last.
import './bar.css'
import './studyTable.css'
import './preview.css'
import './widths.css'

/** Where the day begins: the studies of an organization, those that arrived last first. */
export function WorklistScreen() {
  const navigate = useNavigate()
  const mayUpload = useCan(may('Scan', 'Upload'))
  const upload = mayUpload && (
    <Button type="primary" icon={<UploadOutlined />} onClick={() => void navigate('/scan/upload')}>
      Upload
    </Button>
  )
  return (
    <Screen
      title="Worklist"
      help={[
        'Studies as they arrive, newest first. “New” goes once you have opened one.',
        'Search for words in any order: parts of names, IDs, descriptions, dates. Filters narrow the list, and Views keep it as it is under a name.',
        'Drop files anywhere on the list to upload them.',
      ]}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Worklist' }]}
      actions={upload}
    >
      <ScanOrganization>
        {(organization) => (
          <Worklist
            key={organization.id}
            organizationId={organization.id}
            organizationName={organization.name}
            choice={<OrganizationChoice {...organization} />}
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
