import { scan } from '@dmp/contract'
import { useCan, useData, useLookup } from '@dmp/kit'
import { Link, useLocation, useParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { ActivitySection } from '@dmp/kit/table'
import { patientPath } from '../shared/patientPath.ts'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import { noNameText, subjectOfScan } from '../shared/scanSubject.ts'
import { isFromWorklist } from '../worklist/rowActions.ts'
import { HoldSection } from './HoldSection.tsx'
import { ResultSection } from './ResultSection.tsx'
import { ScanActions } from './ScanActions.tsx'
import { ScanSections } from './ScanSections.tsx'
import { ShareLinksSection } from './ShareLinksSection.tsx'
import { StudyResults } from './StudyResults.tsx'
import { StudySeries } from './StudySeries.tsx'
import './detail.css'

export function ScanDetailScreen() {
  const heading = 'Scan Detail'
  const { organizationId = '', seriesUID = '' } = useParams()
  const { state } = useLocation()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(scan.get, { organizationId, seriesUID })
  const patient = item && (item.patient.name ?? noNameText())
  return (
    <Screen
      title={patient ?? heading}
      // The title of a tab is seen by others (P23).
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        isFromWorklist(state) ? { name: 'Worklist', url: '/scan/worklist' } : { name: 'Scans', url: '/scan' },
        { name: patient ?? 'Detail' },
      ]}
    >
      <ScanDetail organizationId={organizationId} seriesUID={seriesUID} />
    </Screen>
  )
}

function ScanDetail({ organizationId, seriesUID }: { organizationId: string; seriesUID: string }) {
  const item = useData(scan.get, { organizationId, seriesUID })
  const { studyUID } = item.advanced
  const mayShare = useCan(scan.share)
  const mayHold = useCan(scan.listHolds)
  return (
    <div className="scan-screen">
      <PatientHeader
        subject={subjectOfScan(item)}
        extra={<Link to={patientPath(organizationId, studyUID)}>All studies of this patient</Link>}
      />
      <div className="scan-detail">
        <div>
          {item.result && (
            <ResultSection
              organizationId={organizationId}
              studyUID={studyUID}
              seriesUID={seriesUID}
              result={item.result}
            />
          )}
          {mayShare && <ShareLinksSection organizationId={organizationId} seriesUID={seriesUID} />}
          {/* Below the links, whose buttons must not move when this arrives. */}
          <StudySeries organizationId={organizationId} studyUID={studyUID} seriesUID={seriesUID} />
          <StudyResults organizationId={organizationId} studyUID={studyUID} seriesUID={seriesUID} />
          <ScanSections item={item} />
          {mayHold && (
            <HoldSection
              organizationId={organizationId}
              studyUID={studyUID}
              name={[item.patient.name ?? noNameText(), item.basic.studyDescription].filter(Boolean).join(' · ')}
            />
          )}
          <ActivitySection of={{ organizationId, studyUID }} />
        </div>
        <ScanActions item={item} />
      </div>
    </div>
  )
}
