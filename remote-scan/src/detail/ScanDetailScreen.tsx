import { scan } from '@dmp/contract'
import { useCan, useData } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { ScanActions } from './ScanActions.tsx'
import { ScanSections } from './ScanSections.tsx'
import { ShareLinksSection } from './ShareLinksSection.tsx'
import './detail.css'

export function ScanDetailScreen() {
  const { organizationId = '', seriesUID = '' } = useParams()
  return (
    <Screen
      title="Scan Detail"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Scan', url: '/scan' }, { name: 'Detail' }]}
    >
      <ScanDetail organizationId={organizationId} seriesUID={seriesUID} />
    </Screen>
  )
}

function ScanDetail({ organizationId, seriesUID }: { organizationId: string; seriesUID: string }) {
  const item = useData(scan.get, { organizationId, seriesUID })
  const mayShare = useCan(scan.share)
  return (
    <div className="scan-detail">
      <div>
        {mayShare && <ShareLinksSection organizationId={organizationId} seriesUID={seriesUID} />}
        <ScanSections item={item} />
      </div>
      <ScanActions item={item} />
    </div>
  )
}
