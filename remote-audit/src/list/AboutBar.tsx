import { useState } from 'react'
import { businessUser, may, organization, scan } from '@dmp/contract'
import { personName, useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { DateText } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { idText, namelessText, ofPatientText } from '../shared/patientTexts.ts'
import { FindPatientModal } from './FindPatientModal.tsx'
import type { About, useFilters } from './useFilters.ts'
import './about.css'

type AboutBarProps = Pick<ReturnType<typeof useFilters>, 'about' | 'setAbout'>

/** Whom or what the listed records are about, by name; without that, the way to ask about a patient. */
export function AboutBar({ about, setAbout }: AboutBarProps) {
  const [isFinding, setIsFinding] = useState(false)
  const maySearch = useCan(may('Scan', 'List'))
  // Whoever sees many organizations comes here from the patient, whose organization is known there.
  const seesMany = useCan(organization.listActivated)
  if (about)
    return (
      <p className="audit-about" role="status">
        <span>
          {texts[about.kind]} {isOfPerson(about) ? <Person {...about} /> : <Study {...about} />}
          <Span {...about.filters} />
        </span>
        <Button size="small" onClick={() => setAbout(undefined)}>
          Show all records
        </Button>
      </p>
    )
  if (!maySearch || seesMany) return null
  return (
    <p className="audit-about">
      <Button size="small" onClick={() => setIsFinding(true)}>
        Records about a patient…
      </Button>
      {isFinding && <FindPatientModal onClose={() => setIsFinding(false)} onFind={setAbout} />}
    </p>
  )
}

const isOfPerson = ({ kind }: About): boolean => kind === 'person' || kind === 'affected'

const texts = {
  person: 'Records of',
  affected: 'Records about the account of',
  study: 'Records about the study',
  patient: 'Records about the patient',
} as const

/** Of an alert. */
function Span({ from, to, opened }: About['filters']) {
  if (!from || !to) return null
  return (
    <>
      {', '}
      {opened && 'opened '}
      <DateText value={from} format="moment" />
      {' – '}
      <DateText value={to} format="moment" />
    </>
  )
}

function Person({ filters: { actorId, affectedId } }: About) {
  const id = actorId ?? affectedId ?? ''
  const { data } = useLookup(businessUser.get, { id }, { enabled: useCan(businessUser.get) })
  if (!data) return <strong>one person</strong>
  return (
    <Link to={`/user/detail/${id}`}>
      <bdi>{personName(data.fullName)}</bdi>
    </Link>
  )
}

function Study({ kind, filters: { organizationId, studyUID = '' } }: About) {
  const { data } = useLookup(
    scan.listStudies,
    { ...(organizationId && { organizationId }), patientOf: studyUID, page: 1, pageSize: 100 },
    { enabled: useCan(may('Scan', 'List')) },
  )
  const study = data?.rows.find((row) => row.studyUID === studyUID)
  if (!study) return <strong>{studyUID}</strong>
  const patient = [study.patientName || namelessText(), study.patientID && idText(study.patientID)]
    .filter(Boolean)
    .join(' ')
  const title = [...study.modalities, study.description].filter(Boolean).join(' ')
  const text = <bdi>{kind === 'study' ? ofPatientText(title, patient) : patient}</bdi>
  return organizationId ? (
    <Link to={`/scan/patient/${organizationId}/${studyUID}`}>{text}</Link>
  ) : (
    <strong>{text}</strong>
  )
}
