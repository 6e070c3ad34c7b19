import { scan } from '@dmp/contract'
import { formatNumber, useData } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Figures } from '@dmp/kit/table'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import './dashboard.css'

const sharedStudies = '/scan/worklist?isShared=true'

/** How many share links work, end soon, were never opened. A study has several: its list counts something else. */
export function SharesCard() {
  return <ScanOrganization>{(organization) => <Shares key={organization.id} {...organization} />}</ScanOrganization>
}

function Shares({ id, name, choices }: ShownOrganization) {
  const { open, endSoon, unopened, isMore } = useData(scan.countShares, { organizationId: id })
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      <Figures
        figures={[
          { label: 'Open links', value: isMore ? `${formatNumber(open)}+` : formatNumber(open) },
          { label: 'End within a day', value: formatNumber(endSoon) },
          { label: 'Never opened', value: formatNumber(unopened) },
        ]}
      />
      {open > 0 && <Link to={sharedStudies}>Shared studies</Link>}
    </>
  )
}
