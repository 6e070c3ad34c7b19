import { audit } from '@dmp/contract'
import type { Activity } from '@dmp/contract/audit'
import { useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ErrorAlert, Section, formatDate } from '@dmp/kit/screen'
import { Button, Skeleton } from '@dmp/kit/ui'
import { useState } from 'react'
import { groupByDay, splitSentence, toSentence, type Repeated } from './activitySentence.ts'

interface ActivityOfPerson {
  readonly actorId: string
  /** Only in this organization, from the one instant until before the other, and only what the person opened. */
  readonly organizationId?: string
  readonly from?: string
  readonly to?: string
  readonly opened?: boolean
}

export interface ActivitySectionProps {
  /** A study, its patient, or a person. */
  readonly of:
    | { readonly organizationId: string; readonly studyUID: string; readonly isPatient?: boolean }
    | ActivityOfPerson
}

const step = 20
/** More of them are read in the audit list. */
const maxShown = 100

/**
 * Who did what, in sentences, each of which leads to its record in the audit chain. Nothing for people who may not
 * read the audit.
 *
 * @example <ActivitySection of={{ organizationId, studyUID, isPatient: true }} />
 */
export function ActivitySection({ of }: ActivitySectionProps) {
  const mayRead = useCan(audit.listActivity)
  const [pageSize, setPageSize] = useState(step)
  const { data, error, isFetching, refetch } = useLookup(
    audit.listActivity,
    { ...toFilters(of), page: 1, pageSize },
    { enabled: mayRead, keepPrevious: () => true },
  )
  if (!mayRead) return null
  const total = data?.total ?? data?.rows.length ?? 0
  const hasMore = data !== undefined && data.rows.length < total
  return (
    <Section title="Activity" extra={<Link to={toAuditPath(of)}>Records in the audit</Link>}>
      <ErrorAlert error={error} onRetry={refetch} />
      {!data && !error && (
        <div role="status" aria-label="Loading">
          <Skeleton rows={3} title={false} />
        </div>
      )}
      {data?.rows.length === 0 && <p className="dmp-activity-quiet">Nothing is recorded yet.</p>}
      {data && <Days rows={data.rows} isOfPerson={'actorId' in of} />}
      {hasMore && pageSize < maxShown && (
        <Button size="small" loading={isFetching} onClick={() => setPageSize(pageSize + step)}>
          Show earlier
        </Button>
      )}
      {hasMore && pageSize >= maxShown && <Link to={toAuditPath(of)}>All {total} records are in the audit.</Link>}
    </Section>
  )
}

const toSpan = ({ organizationId, from, to, opened }: ActivityOfPerson) => ({
  ...(organizationId && { organizationId }),
  ...(from && { from }),
  ...(to && { to }),
  ...(opened && { opened: 'only' as const }),
})

const toFilters = (of: ActivitySectionProps['of']) => {
  if ('actorId' in of) return { ...toSpan(of), actorId: of.actorId }
  const { organizationId, studyUID, isPatient } = of
  return { organizationId, studyUID, ...(isPatient && { isPatient: 'true' as const }) }
}

const toPersonPath = (of: ActivityOfPerson): Record<string, string> => {
  const { organizationId, ...span } = toSpan(of)
  return { person: of.actorId, ...(organizationId && { organization: organizationId }), ...span }
}

const toAuditPath = (of: ActivitySectionProps['of']): string =>
  `/audit?${new URLSearchParams(
    'actorId' in of
      ? toPersonPath(of)
      : { organization: of.organizationId, [of.isPatient ? 'patientOf' : 'study']: of.studyUID },
  ).toString()}`

function Days({ rows, isOfPerson }: { rows: readonly Activity[]; isOfPerson: boolean }) {
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
