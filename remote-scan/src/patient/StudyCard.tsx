import type { Study } from '@dmp/contract/scan'
import { unsaidModalities } from '@dmp/dicom/modalities'
import { dataWord } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { DateText, formatDate } from '@dmp/kit/screen'
import { countOf, imagesText, seriesText } from '../shared/counts.ts'
import { Parts } from '../shared/Parts.tsx'
import { nameStudy, noNameText, toBornText } from '../shared/scanSubject.ts'
import { SeriesTile } from '../shared/SeriesTile.tsx'
import { RowActions } from '../worklist/RowActions.tsx'
import { detailPath, type Asked } from '../worklist/rowActions.ts'

interface StudyCardProps {
  readonly organizationId: string
  readonly study: Study
  /** Whose name stands above the page. */
  readonly newest: Study
  readonly onAsk: (asked: Asked) => void
}

const shownSeries = 6

/** A study on the timeline of its patient. */
export function StudyCard({ organizationId, study, newest, onAsk }: StudyCardProps) {
  const [first] = study.series
  const title = nameStudy(study) || 'Study without a description'
  const name = [title, formatDate(study.studyDate, 'short')].filter(Boolean).join(', ')
  const rest = study.seriesCount - Math.min(shownSeries, study.series.length)
  const facts = [
    unsaidModalities(study.modalities, title),
    study.bodyParts.join(', '),
    seriesText(study.seriesCount),
    imagesText(countOf(study)),
  ].filter(Boolean)
  const others = [
    study.patientName !== newest.patientName && (study.patientName || noNameText()),
    study.birthDate !== newest.birthDate && study.birthDate && toBornText(study.birthDate),
    study.sex !== newest.sex && study.sex && dataWord(study.sex),
  ].filter(Boolean)
  return (
    <>
      <div className="patient-date">
        {study.studyDate ? <DateText value={study.studyDate} format="short" /> : 'No date'}
        {study.isNew && <span className="dmp-badge dmp-badge--info">New</span>}
      </div>
      <div className="patient-study">
        <div className="patient-study-head">
          <h3>
            {first ? (
              <Link to={detailPath(organizationId, first)}>
                <bdi>{title}</bdi>
              </Link>
            ) : (
              <bdi>{title}</bdi>
            )}
          </h3>
          {study.isShared && <span className="dmp-badge dmp-badge--info">Shared</span>}
          {study.isTransferred && <span className="dmp-badge dmp-badge--secondary">Sent</span>}
          <RowActions
            organizationId={organizationId}
            study={study}
            series={study.series}
            name={name}
            onAsk={onAsk}
            isOnPatientPage
          />
        </div>
        <p>
          <Parts values={facts} />
        </p>
        {others.length > 0 && (
          <p className="patient-differs">
            In this study: <bdi>{others.join(', ')}</bdi>
          </p>
        )}
        <ul className="patient-series" aria-label={`Series of ${name}`}>
          {study.series.slice(0, shownSeries).map((row) => (
            <li key={row.seriesUID}>
              <SeriesTile organizationId={organizationId} row={row} />
            </li>
          ))}
        </ul>
        <p className="patient-quiet">
          {rest > 0 && `and ${rest} more series · `}received <DateText value={study.arrivedDate} format="moment" />
        </p>
      </div>
    </>
  )
}
