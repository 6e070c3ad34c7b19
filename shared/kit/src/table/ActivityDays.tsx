import type { Activity } from '@dmp/contract/audit'
import { personName } from '@dmp/kit/language'
import { Link } from '@dmp/kit/router'
import { formatDate } from '@dmp/kit/screen'
import { groupByDay, splitSentence, toSentence, type Repeated } from './activitySentence.ts'

export interface ActivityDaysProps {
  readonly rows: readonly Activity[]
  readonly isOfPerson: boolean
}

/** What was done, in sentences under their days. */
export function ActivityDays({ rows, isOfPerson }: ActivityDaysProps) {
  return groupByDay(rows, (instant) => formatDate(instant, 'short')).map(({ day, repeated }) => (
    <div key={`${day} ${repeated[0]?.newest.id}`} className="dmp-activity">
      <h3>{day}</h3>
      <ol>
        {repeated.map((one) => (
          <li key={one.newest.id}>
            <Line {...one} isOfPerson={isOfPerson} />
          </li>
        ))}
      </ol>
    </div>
  ))
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

function Line({ newest: row, count, isOfPerson }: Repeated & { isOfPerson: boolean }) {
  const { who, text } = toSentence(row)
  const at = new Date(row.at)
  return (
    <>
      <Link className="dmp-activity-time" to={`/audit/detail/${row.id}`} title="Its record in the audit">
        <time dateTime={row.at}>{`${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`}</time>
      </Link>
      <span>
        {splitSentence(text).map((piece) => {
          if (typeof piece === 'string') return piece
          if (piece.of === 'scan') return <ScanName key="scan" row={row} isOfPerson={isOfPerson} />
          if (piece.of === 'person') return <PersonName key="person" row={row} />
          return (
            <strong key="who">
              <bdi>{who}</bdi>
            </strong>
          )
        })}{' '}
        {row.outcome === 'refused' && <span className="dmp-badge dmp-badge--danger">Refused</span>}
        {count > 1 && <span className="dmp-activity-quiet">{count} times</span>}
      </span>
    </>
  )
}

function PersonName({ row: { affected } }: { row: Activity }) {
  if (!affected) return <span>a person</span>
  return (
    <Link to={`/user/detail/${affected.id}`}>
      <bdi>{personName(affected.fullName)}</bdi>
    </Link>
  )
}

function ScanName({ row: { scan }, isOfPerson }: { row: Activity; isOfPerson: boolean }) {
  if (!scan) return <span>a scan that is gone</span>
  const { modalities, description } = scan
  const others = modalities.filter((modality) => !description.split(' ').includes(modality))
  const study = [...others, description].filter(Boolean).join(' ')
  return (
    <>
      <Link to={`/scan/patient/${scan.organizationId}/${scan.studyUID}`}>
        <bdi>{study || 'a study'}</bdi>
      </Link>
      {/* Whose it is stands above the activity of a patient. */}
      {isOfPerson && (
        <>
          {' of '}
          <bdi>{scan.patientName || 'a patient without a name'}</bdi>
        </>
      )}
    </>
  )
}
