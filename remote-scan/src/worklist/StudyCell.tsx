import type { ReactNode } from 'react'
import type { ScanRow, Study } from '@dmp/contract/scan'
import { dataWord, formatNumber } from '@dmp/kit'
import { DateText } from '@dmp/kit/screen'
import { countOf, countOfRow, imagesText, type ImageCount } from '../shared/counts.ts'
import { listKnownSaas } from '../shared/listKnownSaas.ts'
import { nameStudy } from '../shared/scanSubject.ts'
import type { ColumnKey } from './columns.ts'

const none = (): ReactNode => <span aria-label="None">–</span>

/** Text that DICOM brought, in its own direction. */
const text = (value: string | null | undefined): ReactNode => (value ? <bdi title={value}>{value}</bdi> : none())

/** F, M or O, by the word of the page's language. */
const toSign = (sex: string): string => dataWord(sex).slice(0, 1)

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** 10:12, in the viewer's zone. */
function formatTimeOfDay(instant: string): string {
  const date = new Date(instant)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** The value of a study in a column. */
export function StudyCell({ column, study }: { column: ColumnKey; study: Study }): ReactNode {
  switch (column) {
    case 'patientID':
      return text(study.patientID)
    case 'born':
      return study.birthDate || study.sex ? (
        <span>
          {study.birthDate && <DateText value={study.birthDate} format="short" />}{' '}
          {study.sex && <span title={dataWord(study.sex)}>{toSign(study.sex)}</span>}
        </span>
      ) : (
        none()
      )
    case 'study':
      return text(nameStudy(study))
    case 'modality':
      return text(study.modalities.join(' '))
    case 'studyDate':
      return <DateText value={study.studyDate} format="short" />
    case 'images':
      return <Images count={countOf(study)} />
    case 'received':
      return (
        <span className="worklist-received">
          <DateText value={study.arrivedDate} format="short" /> {formatTimeOfDay(study.arrivedDate)}
        </span>
      )
    case 'bodyPart':
      return text(study.bodyParts.join(', '))
    case 'source':
      return text(study.sources.map(dataWord).join(', '))
    case 'accession':
      return text(study.accessionNumber)
    case 'saas':
      return text(listKnownSaas(study.compatibleSaas).join(', '))
    case 'status':
      return <Status study={study} />
  }
}

/** The number, which says its frames when it is pointed at. */
function Images({ count }: { count: ImageCount }) {
  const { imageInstances } = count
  return imageInstances == null ? none() : <span title={imagesText(count)}>{formatNumber(imageInstances)}</span>
}

function Status({ study }: { study: Study }) {
  if (!study.isShared && !study.isTransferred) return none()
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
      return <DateText value={row.acqDate} format="short" />
    case 'images':
      return <Images count={countOfRow(row)} />
    case 'source':
      return text(dataWord(row.source))
    case 'saas':
      return text(listKnownSaas(row.compatibleSaas).join(', '))
    default:
      return null
  }
}
