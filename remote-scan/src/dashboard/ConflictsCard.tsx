import { scan } from '@dmp/contract'
import { formatNumber, useData } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import './dashboard.css'

/** How many conflicts nobody has settled. */
export function ConflictsCard() {
  return (
    <ScanOrganization>{(organization) => <OpenConflicts key={organization.id} {...organization} />}</ScanOrganization>
  )
}

function OpenConflicts({ id, name, choices }: ShownOrganization) {
  const { rows, total = rows.length } = useData(scan.listConflicts, {
    organizationId: id,
    state: 'open',
    page: 1,
    pageSize: 1,
  })
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      {total === 0 ? (
        <p>Nothing contradicts what is stored.</p>
      ) : (
        <>
          <p className="scan-card-number">{formatNumber(total)}</p>
          <p>{total === 1 ? 'conflict waits for a decision.' : 'conflicts wait for a decision.'}</p>
        </>
      )}
      <Link to="/scan/conflicts">All conflicts</Link>
    </>
  )
}
