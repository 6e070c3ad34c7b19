import { useDeferredValue, useState } from 'react'
import { limits, scan } from '@dmp/contract'
import type { Study } from '@dmp/contract/scan'
import { useLookup, useUser } from '@dmp/kit'
import { SearchBox } from '@dmp/kit/form'
import { ErrorAlert, formatDate } from '@dmp/kit/screen'
import { Button, Modal } from '@dmp/kit/ui'
import { idText } from '../shared/patientTexts.ts'
import type { About } from './useFilters.ts'

interface FindPatientModalProps {
  readonly onClose: () => void
  readonly onFind: (about: About) => void
}

const minChars = 2
const shown = 10

/** The audit names nobody: who is meant is found among the scans. */
export function FindPatientModal({ onClose, onFind }: FindPatientModalProps) {
  const { organizationId } = useUser()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data, error, isFetching } = useLookup(
    scan.listStudies,
    { organizationId, search, page: 1, pageSize: 25 },
    { enabled: search.length >= minChars && search.length <= limits.searchMaxChars, keepPrevious: () => true },
  )
  const patients = [...new Map((data?.rows ?? []).map((row) => [row.patientID || row.studyUID, row])).values()].slice(
    0,
    shown,
  )
  const isAsked = search.length >= minChars
  return (
    <Modal open title="Records about a patient" footer={<Button onClick={onClose}>Cancel</Button>} onCancel={onClose}>
      <SearchBox label="Name, ID or study of the patient" value={typed} onChange={setTyped} />
      <ErrorAlert error={error} />
      <ul className="audit-patients" aria-busy={isFetching} aria-label="Patients">
        {isAsked &&
          patients.map((row) => (
            <li key={row.studyUID}>
              <button
                type="button"
                onClick={() => {
                  onFind({ kind: 'patient', filters: { organizationId, studyUID: row.studyUID, isPatient: 'true' } })
                  onClose()
                }}
              >
                <bdi>{row.patientName || 'No name'}</bdi>
                <span>{factsText(row)}</span>
              </button>
            </li>
          ))}
      </ul>
      {isAsked && data && !isFetching && patients.length === 0 && <p>No patient of your organization matches.</p>}
    </Modal>
  )
}

/** What tells two people of one name apart, the day as pages of the language write it. */
const factsText = ({ patientID, birthDate }: Study): string =>
  [patientID && idText(patientID), formatDate(birthDate, 'short')].filter(Boolean).join(' · ')
