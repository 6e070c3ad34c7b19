import { dataWord } from '@dmp/kit'
import type { ReactNode } from 'react'
import { Parts } from './Parts.tsx'
import { imagesText, sumImages } from './counts.ts'
import { noNameText, toBornText, type ScanSubject } from './scanSubject.ts'
import './patientHeader.css'

/** Everything that a confirmation is about, one by one, with its sum. */
export function SubjectList({
  subjects,
  extra,
}: {
  subjects: readonly ScanSubject[]
  /** A button beside each. */
  extra?: (subject: ScanSubject) => ReactNode
}) {
  const patients = new Set(subjects.map(({ patientID, patientName }) => `${patientID}\n${patientName}`)).size
  const images = imagesText(sumImages(subjects.map(({ count }) => count)))
  return (
    <>
      <div
        className="scan-subjects"
        // What scrolls has to be reached by the keyboard.
        {...(subjects.length > 4 ? { role: 'region', 'aria-label': 'Scans, scrollable', tabIndex: 0 } : {})}
      >
        <ul aria-label="Scans">
          {subjects.map((subject) => (
            <li key={subject.key}>
              <strong>
                <bdi>{subject.patientName || noNameText()}</bdi>
              </strong>
              <span className="scan-subjects-what">
                <Parts values={listPersonFacts(subject)} />
              </span>
              <span className="scan-subjects-what">
                <Parts values={[subject.modality, subject.description, subject.date]} />
              </span>
              <span className="scan-subjects-end">{extra ? extra(subject) : imagesText(subject.count)}</span>
            </li>
          ))}
        </ul>
      </div>
      {subjects.length > 1 && (
        <p className="scan-subjects-sum" data-several={patients > 1 || undefined}>
          {subjects.length} scans of {patients === 1 ? '1 patient' : `${patients} patients`}, {images}
        </p>
      )}
    </>
  )
}

/** What tells two people of one name apart. */
const listPersonFacts = ({ patientID, birthDate, sex }: ScanSubject): readonly string[] => [
  patientID || 'No patient ID',
  birthDate ? toBornText(birthDate) : '',
  sex ? dataWord(sex) : '',
]
