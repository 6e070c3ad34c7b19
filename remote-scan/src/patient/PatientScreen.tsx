import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { useData, useLookup } from '@dmp/kit'
import { Link, useParams } from '@dmp/kit/router'
import { Screen, Section } from '@dmp/kit/screen'
import { ActivitySection } from '@dmp/kit/table'
import { Alert } from '@dmp/kit/ui'
import { studiesText } from '../shared/counts.ts'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import { noNameText } from '../shared/scanSubject.ts'
import type { Asked } from '../worklist/rowActions.ts'
import { WorklistDialogs } from '../worklist/WorklistDialogs.tsx'
import { mayBeSeveral, studiesOfPatient, subjectOfPatient } from './patient.ts'
import { StudyCard } from './StudyCard.tsx'
import './patient.css'

/** The most that a page of studies has. */
const pageSize = 100

const toInput = (organizationId: string, studyUID: string) =>
  ({ organizationId, patientOf: studyUID, sort: 'studyDate', direction: 'desc', page: 1, pageSize }) as const

/** Everything about one patient: the studies as a timeline, and who did what with them. */
export function PatientScreen() {
  const heading = 'Patient'
  const { organizationId = '', studyUID = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data } = useLookup(scan.listStudies, toInput(organizationId, studyUID))
  const [newest] = data ? studiesOfPatient(data, studyUID) : []
  const name = newest && (newest.patientName || noNameText())
  return (
    <Screen
      title={name ?? heading}
      // The title of a tab is seen by others (P23).
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Worklist', url: '/scan/worklist' },
        { name: name ?? heading },
      ]}
    >
      <Patient organizationId={organizationId} studyUID={studyUID} />
    </Screen>
  )
}

function Patient({ organizationId, studyUID }: { organizationId: string; studyUID: string }) {
  const page = useData(scan.listStudies, toInput(organizationId, studyUID))
  const { rows, total = rows.length } = page
  const studies = studiesOfPatient(page, studyUID)
  const [newest] = studies
  if (!newest)
    return (
      <Alert
        type="info"
        showIcon
        title="This study is not here any more, or you have no access to it."
        description={<Link to="/scan/worklist">Back to the worklist</Link>}
      />
    )
  return (
    <div className="scan-screen">
      <PatientHeader subject={subjectOfPatient(studies, newest)} />
      {mayBeSeveral(studies) && (
        <Alert
          type="warning"
          showIcon
          className="patient-several"
          title={`Studies with the ID ${newest.patientID} have different names, birth dates or sexes.`}
          description="Check that they are of one patient. What differs stands in each study."
        />
      )}
      <div className="patient-page">
        <Timeline organizationId={organizationId} studyUID={studyUID} studies={studies} newest={newest} />
        <div>
          {total > rows.length && (
            <p>
              These are the newest {rows.length} of {total} studies. Find the others in the{' '}
              <Link to="/scan/worklist">worklist</Link>.
            </p>
          )}
          <ActivitySection of={{ organizationId, studyUID, isPatient: true }} />
        </div>
      </div>
    </div>
  )
}

interface TimelineProps {
  readonly organizationId: string
  /** The study by which the patient was asked for. */
  readonly studyUID: string
  readonly studies: readonly Study[]
  readonly newest: Study
}

function Timeline({ organizationId, studyUID, studies, newest }: TimelineProps) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <Section title={studiesText(studies.length)}>
      <ol className="patient-timeline">
        {studies.map((study) => (
          <li key={study.studyUID} aria-current={studies.length > 1 && study.studyUID === studyUID}>
            <StudyCard organizationId={organizationId} study={study} newest={newest} onAsk={setAsked} />
          </li>
        ))}
      </ol>
      {asked && <WorklistDialogs organizationId={organizationId} asked={asked} onClose={close} onDone={close} />}
    </Section>
  )
}
