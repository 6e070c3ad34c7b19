import { audit } from '@dmp/contract'
import { useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { Button, Skeleton } from '@dmp/kit/ui'
import { useEffect, useState, type ComponentType } from 'react'
import type { ActivityDaysProps } from './ActivityDays.tsx'

interface ActivityOfPerson {
  readonly actorId: string
  /** Only in this organization, from the one instant until before the other, and only what the person opened. */
  readonly organizationId?: string
  readonly from?: string
  readonly to?: string
  readonly opened?: boolean
}

export interface ActivitySectionProps {
  /** A study, its patient, what a person did, or what was done to a person. */
  readonly of:
    | { readonly organizationId: string; readonly studyUID: string; readonly isPatient?: boolean }
    | ActivityOfPerson
    | { readonly affectedId: string }
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
  const { Days, failure, reload } = useDays(mayRead)
  if (!mayRead) return null
  const total = data?.total ?? data?.rows.length ?? 0
  const hasMore = data !== undefined && data.rows.length < total
  return (
    <Section
      title={'affectedId' in of ? 'What was done to this account' : 'Activity'}
      extra={<Link to={toAuditPath(of)}>Records in the audit</Link>}
    >
      <ErrorAlert error={error} onRetry={refetch} />
      {!error && <ErrorAlert error={failure} onRetry={reload} />}
      {!(data && Days) && !error && !failure && (
        <div role="status" aria-label="Loading">
          <Skeleton rows={3} title={false} />
        </div>
      )}
      {data?.rows.length === 0 && <p className="dmp-activity-quiet">Nothing is recorded yet.</p>}
      {data && Days && <Days rows={data.rows} isOfPerson={!('studyUID' in of)} />}
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
  if ('affectedId' in of) return of
  const { organizationId, studyUID, isPatient } = of
  return { organizationId, studyUID, ...(isPatient && { isPatient: 'true' as const }) }
}

const toPersonPath = (of: ActivityOfPerson): Record<string, string> => {
  const { organizationId, ...span } = toSpan(of)
  return { person: of.actorId, ...(organizationId && { organization: organizationId }), ...span }
}

function toAuditPath(of: ActivitySectionProps['of']): string {
  const query =
    'actorId' in of
      ? toPersonPath(of)
      : 'affectedId' in of
        ? { affected: of.affectedId }
        : { organization: of.organizationId, [of.isPatient ? 'patientOf' : 'study']: of.studyUID }
  return `/audit?${new URLSearchParams(query).toString()}`
}

let loadedDays: ComponentType<ActivityDaysProps> | undefined

/** The sentences are a third of what tables weigh, and no list is drawn with them: they come beside their rows. */
function useDays(isWanted: boolean) {
  const [Days, setDays] = useState(() => loadedDays)
  const [failure, setFailure] = useState<Error | null>(null)
  const isMissing = isWanted && !Days && !failure
  // Loading is outside React.
  useEffect(() => {
    if (!isMissing) return
    let isGone = false
    import('./ActivityDays.tsx').then(
      ({ ActivityDays }) => {
        loadedDays = ActivityDays
        if (!isGone) setDays(() => ActivityDays)
      },
      () => isGone || setFailure(new Error('This part of the page could not be shown.')),
    )
    return () => {
      isGone = true
    }
  }, [isMissing])
  return { Days, failure, reload: () => setFailure(null) }
}
