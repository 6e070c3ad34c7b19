import type { ReactNode } from 'react'
import type { ScanRow, Study } from '@dmp/contract/scan'
import { dataWord } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { listKnownSaas } from '../shared/listKnownSaas.ts'
import { nameStudy } from '../shared/scanSubject.ts'
import type { ColumnKey } from './columns.ts'

const none = <span aria-label="none">–</span>

/** Text that DICOM brought, in its own direction. */
const text = (value: string | null | undefined): ReactNode => (value ? <bdi title={value}>{value}</bdi> : none)

const sexSigns: Readonly<Record<string, string>> = { Female: 'F', Male: 'M', Other: 'O' }

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** 2026-11-23 10:12, in the viewer's zone. */
function formatArrival(instant: string): string {
  const date = new Date(instant)
  return `${formatDate(instant, 'short')} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** The value of a study in a column. */
export function StudyCell({ column, study }: { column: ColumnKey; study: Study }): ReactNode {
  switch (column) {
    case 'patientID':
      return text(study.patientID)
    case 'born':
      return study.birthDate || study.sex ? (
        <span title={study.sex ? dataWord(study.sex) : undefined}>
          {[study.birthDate, sexSigns[study.sex ?? '']].filter(Boolean).join(' ')}
        </span>
      ) : (
        none
      )
    case 'study':
      return text(nameStudy(study))
    case 'modality':
      return text(study.modalities.join(' '))
    case 'studyDate':
      return text(study.studyDate)
    case 'images':
      return study.images
    case 'received':
      return (
        <time dateTime={study.arrivedDate} title={formatDate(study.arrivedDate, 'moment')}>
          {formatArrival(study.arrivedDate)}
        </time>
      )
    case 'bodyPart':
      return text(study.bodyParts.join(', '))
    case 'source':
      return text(study.sources.join(', '))
    case 'accession':
      return text(study.accessionNumber)
    case 'saas':
      return text(listKnownSaas(study.compatibleSaas).join(', '))
    case 'status':
      return <Status study={study} />
  }
}

function Status({ study }: { study: Study }) {
  if (!study.isShared && !study.isTransferred) return none
  return (
    <span className="worklist-marks">
      {study.isShared && <span className="dmp-badge dmp-badge--info">Shared</span>}
      {study.isTransferred && <span className="dmp-badge dmp-badge--secondary">Sent</span>}
    </span>
  )
}

/** The value of a series of an opened study in a column. */
export function SeriesCell({ column, row }: { column: ColumnKey; row: ScanRow }): ReactNode {
  switch (column) {
    case 'modality':
      return text(row.modality)
    case 'studyDate':
      return text(row.acqDate)
    case 'images':
      return row.noOfImages ?? none
    case 'source':
      return text(row.source)
    case 'saas':
      return text(listKnownSaas(row.compatibleSaas).join(', '))
    default:
      return null
  }
}
