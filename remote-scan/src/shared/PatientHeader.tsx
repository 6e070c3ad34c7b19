import type { ReactNode } from 'react'
import { dataWord } from '@dmp/kit'
import { imagesText, noName, type ScanSubject } from './scanSubject.ts'
import './patientHeader.css'

interface PatientHeaderProps {
  readonly subject: ScanSubject
  readonly isCompact?: boolean
  /** A link at its end. */
  readonly extra?: ReactNode
}

/** Whose scan this is: stands on every screen and in every dialog about one. */
export function PatientHeader({ subject, isCompact = false, extra }: PatientHeaderProps) {
  const { patientName, patientID, birthDate, sex, date, modality, description, images } = subject
  const who = [patientID && `ID ${patientID}`, birthDate && `Born ${birthDate}`, sex && dataWord(sex)].filter(Boolean)
  const what = [modality, description, date, imagesText(images)].filter(Boolean)
  return (
    <div className="patient-header" data-compact={isCompact} role="group" aria-label="Patient">
      <strong>
        <bdi>{patientName || noName}</bdi>
      </strong>
      <Parts values={who} />
      <Parts values={what} />
      {extra && <span className="patient-header-extra">{extra}</span>}
    </div>
  )
}

// DICOM text may be written from right to left.
function Parts({ values }: { values: readonly (string | null | undefined | false)[] }) {
  if (values.length === 0) return null
  return (
    <span className="patient-header-line">
      {values.map((value, index) => (
        <span key={index}>
          <bdi>{value}</bdi>
        </span>
      ))}
    </span>
  )
}
