import { scan } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { unsaidModalities } from '@dmp/dicom/modalities'
import { useData } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { DateText, formatDate } from '@dmp/kit/screen'
import { Button, EyeOutlined } from '@dmp/kit/ui'
import { OrganizationChoice } from '../shared/OrganizationChoice.tsx'
import { Parts } from '../shared/Parts.tsx'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'
import { nameStudy, noNameText } from '../shared/scanSubject.ts'
import { detailPath, findViewable, fromWorklist, view } from '../worklist/rowActions.ts'
import { useReadMarks } from '../worklist/useReadMarks.ts'
import './dashboard.css'

const shownStudies = 6

/** The head of the worklist on the page that signing in leads to: the day begins without a press. */
export function WorklistCard() {
  return (
    <ScanOrganization>
      {(shown) => (
        <>
          {/* For all cards about scans, which say its name. */}
          <div className="scan-card-choice">
            <OrganizationChoice {...shown} />
          </div>
          <NewestStudies key={shown.id} id={shown.id} />
        </>
      )}
    </ScanOrganization>
  )
}

function NewestStudies({ id }: { id: string }) {
  const input = {
    organizationId: id,
    page: 1,
    pageSize: shownStudies,
    sort: 'arrivedDate',
    direction: 'desc',
  } as const
  const rows = useReadMarks(useData(scan.listStudies, input).rows, input)
  return (
    <>
      {rows.length === 0 && <p>No studies yet.</p>}
      <ul className="scan-card-studies">
        {rows.map((study) => (
          <StudyLine key={study.studyUID} organizationId={id} study={study} />
        ))}
      </ul>
      <Link to="/scan/worklist">Open the worklist</Link>
    </>
  )
}

function StudyLine({ organizationId, study }: { organizationId: string; study: Study }) {
  const [first] = study.series
  const viewable = findViewable(study.series)
  const patient = study.patientName || noNameText()
  const title = nameStudy(study)
  const name = [patient, title, formatDate(study.studyDate, 'short'), study.patientID].filter(Boolean).join(', ')
  return (
    <li>
      <span>
        {first ? (
          <Link to={detailPath(organizationId, first)} state={fromWorklist}>
            <bdi>{patient}</bdi>
          </Link>
        ) : (
          <bdi>{patient}</bdi>
        )}{' '}
        {study.isNew && <span className="dmp-badge dmp-badge--primary">New</span>}
      </span>
      <bdi className="scan-card-quiet">{study.patientID}</bdi>
      <span>
        <Parts values={[unsaidModalities(study.modalities, title), title]} />{' '}
        <span className="scan-card-quiet">
          <DateText value={study.studyDate} format="short" />
        </span>
      </span>
      <Button
        type="text"
        title={viewable ? 'View' : 'There is no picture to view'}
        aria-label={`View ${name}`}
        disabled={!viewable}
        icon={<EyeOutlined />}
        onClick={() => viewable && view(organizationId, viewable)}
      />
    </li>
  )
}
