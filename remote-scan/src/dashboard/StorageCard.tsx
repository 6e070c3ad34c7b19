import { imagesText, scansText } from '../shared/counts.ts'
import { scan } from '@dmp/contract'
import { useData } from '@dmp/kit'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import { formatBytes } from '../shared/formatBytes.ts'
import './dashboard.css'

/** How much the organization has stored. */
export function StorageCard() {
  return (
    <ScanOrganization>
      {(shownOrganization) => <Storage key={shownOrganization.id} {...shownOrganization} />}
    </ScanOrganization>
  )
}

function Storage({ id, name, choices }: ShownOrganization) {
  const { scans, images, bytes } = useData(scan.getStorage, { organizationId: id })
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      <p className="scan-card-number">{formatBytes(bytes)}</p>
      <p>
        {scansText(scans)} with {imagesText(images)}
      </p>
    </>
  )
}
