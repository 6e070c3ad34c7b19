import { scan } from '@dmp/contract'
import { useCan, useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Section } from '@dmp/kit/screen'
import { patientPath } from '../shared/patientPath.ts'
import { SeriesTile } from '../shared/SeriesTile.tsx'

interface StudySeriesProps {
  readonly organizationId: string
  readonly studyUID: string
  /** The scan of the page, which is not told about itself. */
  readonly seriesUID: string
}

/** Two rows of tiles on a wide page; the patient's page has more. */
const shownSeries = 12

/** The other images of the study of a scan: whoever opened one of two series should know of the second. */
export function StudySeries({ organizationId, studyUID, seriesUID }: StudySeriesProps) {
  const mayList = useCan(scan.listStudies)
  // The same call as that of the results, which shows its error.
  const { data } = useLookup(scan.listStudies, { organizationId, studyUID }, { enabled: mayList })
  const study = data?.rows.find((row) => row.studyUID === studyUID)
  const others = (study?.series ?? []).filter((row) => row.seriesUID !== seriesUID && !row.result)
  if (others.length === 0) return null
  return (
    <Section title="Other series of this study">
      <ul className="study-series">
        {others.slice(0, shownSeries).map((row) => (
          <li key={row.seriesUID}>
            <SeriesTile organizationId={organizationId} row={row} />
          </li>
        ))}
      </ul>
      {others.length > shownSeries && (
        <p>
          These are {shownSeries} of {others.length} series.{' '}
          <Link to={patientPath(organizationId, studyUID)}>All studies of this patient</Link>
        </p>
      )}
    </Section>
  )
}
