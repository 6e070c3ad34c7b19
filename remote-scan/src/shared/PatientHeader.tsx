import type { ReactNode } from 'react'
import { dataWord } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { imagesText } from './counts.ts'
import { noNameText, type ScanSubject } from './scanSubject.ts'
import './patientHeader.css'

interface PatientHeaderProps {
  readonly subject: ScanSubject
  readonly isCompact?: boolean
  /** A link at its end. */
  readonly extra?: ReactNode
}

const idText = (patientID: string): string => `ID ${patientID}`
const toBirthText = (birthDate: string): string => `Born ${birthDate}`

/** Whose scan this is: stands on every screen and in every dialog about one. */
export function PatientHeader({ subject, isCompact = false, extra }: PatientHeaderProps) {
  const { patientName, nativeName, patientID, birthDate, sex, date, modality, description, count } = subject
  const born = formatDate(birthDate, 'short')
  const who = [patientID && idText(patientID), born && toBirthText(born), sex && dataWord(sex)].filter(Boolean)
  const what = [modality, description, date, imagesText(count)].filter(Boolean)
  return (
    <div className="patient-header" data-compact={isCompact} role="group" aria-label="Patient">
      <strong>
        <bdi>{patientName || noNameText()}</bdi>
        {nativeName && (
          <>
            {' · '}
            <bdi>{nativeName}</bdi>
          </>
        )}
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
