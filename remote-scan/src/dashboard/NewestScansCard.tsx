import { scan } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { CardLinks } from '@dmp/kit/screen'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import './dashboard.css'

const shownScans = 5

/** The scans that arrived last, one click from their detail. */
export function NewestScansCard() {
  return (
    <ScanOrganization>{(organization) => <NewestScans key={organization.id} {...organization} />}</ScanOrganization>
  )
}

function NewestScans({ id, name, choices }: ShownOrganization) {
  const { rows } = useData(scan.list, {
    organizationId: id,
    page: 1,
    pageSize: shownScans,
    sort: 'uploadDateTime',
    direction: 'desc',
  })
  const ready = rows.filter((row) => row.imageSetID !== null)
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      <CardLinks
        links={ready.map((row) => ({
          to: `/scan/detail/${id}/${row.seriesUID}`,
          text: row.patientName || row.patientID || 'No name',
          note: [row.modality, row.seriesDescription, row.acqDate].filter(Boolean).join(' · '),
        }))}
        all={{ to: '/scan', text: 'All scans' }}
        none="No scans yet."
      />
    </>
  )
}
