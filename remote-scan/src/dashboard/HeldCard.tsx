import { scan } from '@dmp/contract'
import { formatNumber, useData } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import './dashboard.css'

/** How many scans wait until somebody has looked at their pictures. */
export function HeldCard() {
  return (
    <ScanOrganization>{(organization) => <WaitingScans key={organization.id} {...organization} />}</ScanOrganization>
  )
}

function WaitingScans({ id, name, choices }: ShownOrganization) {
  const { rows, total = rows.length } = useData(scan.listHeld, { organizationId: id, page: 1, pageSize: 1 })
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      {total === 0 ? (
        <p>No pictures wait for a look.</p>
      ) : (
        <>
          <p className="scan-card-number">{formatNumber(total)}</p>
          <p>{total === 1 ? 'scan waits for a look at the pictures.' : 'scans wait for a look at the pictures.'}</p>
        </>
      )}
      <Link to="/scan/held">All held pictures</Link>
    </>
  )
}
