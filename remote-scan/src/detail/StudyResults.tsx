import { scan } from '@dmp/contract'
import type { ScanResult, ScanRow } from '@dmp/contract/scan'
import { useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { patientPath } from '../shared/patientPath.ts'
import { resultKindText, resultMaker } from '../shared/resultTexts.ts'
import { detailPath } from '../worklist/rowActions.ts'

interface StudyResultsProps {
  readonly organizationId: string
  readonly studyUID: string
  /** The scan of the page, which is not told about itself. */
  readonly seriesUID: string
}

type Made = ScanRow & { readonly result: ScanResult }
const isMade = (row: ScanRow): row is Made => Boolean(row.result)

/** More than these are no announcement any more; the patient's page has all. */
const shownResults = 20

/** What programs sent back into the study of a scan, newest first: whoever sees the images should know of it. */
export function StudyResults({ organizationId, studyUID, seriesUID }: StudyResultsProps) {
  const mayList = useCan(scan.listStudies)
  const { data, error, refetch } = useLookup(scan.listStudies, { organizationId, studyUID }, { enabled: mayList })
  const study = data?.rows.find((row) => row.studyUID === studyUID)
  const results = (study?.series ?? [])
    .filter(isMade)
    .filter((row) => row.seriesUID !== seriesUID)
    .toSorted((a, b) => (b.uploadDateTime ?? '').localeCompare(a.uploadDateTime ?? ''))
  if (results.length === 0 && !error) return null
  return (
    <Section title="Results in this study">
      <ErrorAlert error={error} onRetry={refetch} />
      {results.length > 0 && (
        <SimpleTable
          label="Results in this study"
          rows={results.slice(0, shownResults)}
          columns={createColumns(organizationId)}
          rowKey={(row) => row.seriesUID}
        />
      )}
      {results.length > shownResults && (
        <p>
          These are the newest {shownResults} of {results.length} results.{' '}
          <Link to={patientPath(organizationId, studyUID)}>All studies of this patient</Link>
        </p>
      )}
    </Section>
  )
}

const nameResult = ({ result, seriesDescription }: Made): string =>
  [resultKindText(result.kind), seriesDescription].filter(Boolean).join(' · ')

const createColumns = (organizationId: string): Column<Made>[] => [
  {
    title: 'Result',
    value: nameResult,
    render: (row) => (
      <Link to={detailPath(organizationId, row)}>
        <bdi>{nameResult(row)}</bdi>
      </Link>
    ),
  },
  { title: 'Made by', value: (row) => resultMaker(row.result) },
  { title: 'Upload Date', field: 'uploadDateTime', type: 'date' },
]
