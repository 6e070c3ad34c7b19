import { objectsText, scansText } from '../shared/counts.ts'
import { scan } from '@dmp/contract'
import { formatBytes, formatNumber, useData } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { BarTable } from '@dmp/kit/table'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import './dashboard.css'

const nearlyFull = 0.9

/** How much the organization has stored. */
export function StorageCard() {
  return (
    <ScanOrganization>
      {(shownOrganization) => <Storage key={shownOrganization.id} {...shownOrganization} />}
    </ScanOrganization>
  )
}

function Storage({ id, name, choices }: ShownOrganization) {
  const {
    scans,
    images,
    bytes,
    quotaBytes,
    complaintBytes = 0,
    binBytes = 0,
  } = useData(scan.getStorage, { organizationId: id })
  const taken = bytes + complaintBytes + binBytes
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      <p className="scan-card-number">
        <Link to="/scan" aria-label={`Storage: ${formatBytes(bytes)}`}>
          {formatBytes(bytes)}
        </Link>
      </p>
      <p>
        {scansText(scans)} with {objectsText(images)}
      </p>
      {binBytes > 0 && <p>And {formatBytes(binBytes)} in the bin, which takes up room as well</p>}
      {quotaBytes !== undefined && (
        <BarTable
          label="Storage against what there is room for"
          nameLabel="Kind"
          countLabel="Bytes"
          full={quotaBytes}
          bars={[
            {
              label: `Of ${formatBytes(quotaBytes)}`,
              value: taken,
              text: formatNumber(taken / quotaBytes, { style: 'percent', maximumFractionDigits: 0 }),
              ...(taken > nearlyFull * quotaBytes && { tone: 'warning' as const }),
            },
          ]}
        />
      )}
    </>
  )
}
