import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { Button, UploadOutlined } from '@dmp/kit/ui'
import { OrganizationChoice } from '../shared/OrganizationChoice.tsx'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'
import { ScanTable } from './ScanTable.tsx'

export function ScanListScreen() {
  const navigate = useNavigate()
  // The rights by their names: the calls would bring the shapes of those screens along.
  const mayUpload = useCan(may('Scan', 'Upload'))
  const mayListHeld = useCan(may('Scan', 'Transfer'))
  const mayListConflicts = useCan(may('Scan', 'ListConflicts'))
  const mayListBin = useCan(may('Scan', 'ListBin'))
  const toUpload = () => navigate('/scan/upload')
  const upload = mayUpload && (
    <Button type="primary" icon={<UploadOutlined aria-hidden />} onClick={toUpload}>
      Upload
    </Button>
  )
  const actions = (
    <>
      {mayListHeld && <Button onClick={() => navigate('/scan/held')}>Held pictures</Button>}
      {mayListConflicts && <Button onClick={() => navigate('/scan/conflicts')}>Conflicts</Button>}
      {mayListBin && <Button onClick={() => navigate('/scan/bin')}>Bin</Button>}
      {upload}
    </>
  )
  const first = mayUpload ? (
    <Button type="primary" onClick={toUpload}>
      Upload the first scans
    </Button>
  ) : (
    <p>Scans appear here as soon as somebody has uploaded some.</p>
  )
  return (
    <Screen
      title="Scans"
      help={[
        'One row for each series. Tick rows for what is done to several at once; those of other pages count, too.',
        'Filters keep a search under a name, for you alone.',
      ]}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
      actions={actions}
    >
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
