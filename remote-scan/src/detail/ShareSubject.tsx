import type { SharedStudy } from '@dmp/contract/scan'
import { dataWord } from '@dmp/kit'
import { ErrorAlert, formatDate } from '@dmp/kit/screen'
import { Alert, Button } from '@dmp/kit/ui'
import { countOf, imagesText, scansText, sumImages } from '../shared/counts.ts'
import { Parts } from '../shared/Parts.tsx'
import { toBornText } from '../shared/scanSubject.ts'
import type { Shareable } from './useShareable.ts'

/** Whose images the link opens, and which: each series can be added or left out. */
export function ShareSubject({ studies, error, chosen, choose }: Shareable) {
  if (error) return <ErrorAlert error={error} />
  if (!studies) return <p className="share-subject share-quiet">Loading what is shared …</p>
  const series = studies.flatMap((study) => study.series).filter(({ seriesUID }) => chosen.includes(seriesUID))
  const images = sumImages(series.map(countOf))
  const patients = countPatients(studies, chosen)
  return (
    <div className="share-subject">
      {studies.map((study) => (
        <StudyChoice key={study.studyUID} study={study} chosen={chosen} choose={choose} />
      ))}
      {patients > 1 && (
        <Alert
          type="warning"
          showIcon
          title={`These scans are of ${patients} patients. Everyone with the link sees all of them.`}
        />
      )}
      <p className="share-quiet" role="status">
        The link opens {scansText(series.length)} with {imagesText(images)}.
      </p>
    </div>
  )
}

function countPatients(studies: readonly SharedStudy[], chosen: readonly string[]): number {
  const open = studies.filter(({ series }) => series.some(({ seriesUID }) => chosen.includes(seriesUID)))
  return new Set(open.map(({ patientID, patientName }) => JSON.stringify([patientID, patientName]))).size
}

interface StudyChoiceProps extends Pick<Shareable, 'chosen' | 'choose'> {
  readonly study: SharedStudy
}

function StudyChoice({ study, chosen, choose }: StudyChoiceProps) {
  const { patientName, patientID, birthDate, sex, description, studyDate, series } = study
  const uids = series.map(({ seriesUID }) => seriesUID)
  const isWhole = uids.every((uid) => chosen.includes(uid))
  const isOnly = (uid: string) => chosen.length === 1 && chosen.includes(uid)
  return (
    <fieldset className="share-study-choice">
      <legend>
        <b>
          <bdi>{patientName || 'Without a name'}</bdi>
        </b>
        <Parts values={[patientID, birthDate && toBornText(birthDate), sex && dataWord(sex)]} />
        <Parts values={[description || 'Study without a description', formatDate(studyDate, 'short')]} />
      </legend>
      <div className="share-series-choice">
        {series.map((each) =>
          // Where there is no choice, there is no box.
          series.length === 1 && isOnly(each.seriesUID) ? (
            <Parts key={each.seriesUID} values={partsOf(each)} />
          ) : (
            <label key={each.seriesUID} className="dmp-check">
              <input
                type="checkbox"
                checked={chosen.includes(each.seriesUID)}
                disabled={isOnly(each.seriesUID)}
                onChange={(event) => choose([each.seriesUID], event.target.checked)}
              />
              <Parts values={partsOf(each)} />
            </label>
          ),
        )}
      </div>
      {series.length > 1 && !isWhole && (
        <Button size="small" onClick={() => choose(uids, true)}>
          Share the whole study
        </Button>
      )}
    </fieldset>
  )
}

const unnamedText = (): string => 'Series'

const partsOf = ({ modality, description, ...counted }: SharedStudy['series'][number]) => [
  modality,
  description || unnamedText(),
  imagesText(countOf(counted)),
]
