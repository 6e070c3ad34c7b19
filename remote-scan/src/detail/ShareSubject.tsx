import type { SharedStudy } from '@dmp/contract/scan'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { formatCount } from '../shared/formatCount.ts'
import type { Shareable } from './useShareable.ts'

/** Whose images the link opens, and which: each series can be added or left out. */
export function ShareSubject({ studies, error, chosen, choose }: Shareable) {
  if (error) return <ErrorAlert error={error} />
  if (!studies) return <p className="share-subject share-quiet">Loading what is shared …</p>
  const series = studies.flatMap((study) => study.series).filter(({ seriesUID }) => chosen.includes(seriesUID))
  const images = series.reduce((sum, each) => sum + each.images, 0)
  return (
    <div className="share-subject">
      {studies.map((study) => (
        <StudyChoice key={study.studyUID} study={study} chosen={chosen} choose={choose} />
      ))}
      <p className="share-quiet" role="status">
        The link opens {formatCount(series.length, 'scan')} with {formatCount(images, 'image')}.
      </p>
    </div>
  )
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
        <b>{patientName || 'Without a name'}</b>
        <span>{[patientID, birthDate && `born ${birthDate}`, sex].filter(Boolean).join(' · ')}</span>
        <span>{[description || 'Study without a description', studyDate].filter(Boolean).join(' · ')}</span>
      </legend>
      <div className="share-series-choice">
        {series.map(({ seriesUID, modality, description: name, images }) => (
          <label key={seriesUID} className="dmp-check">
            <input
              type="checkbox"
              checked={chosen.includes(seriesUID)}
              disabled={isOnly(seriesUID)}
              onChange={(event) => choose([seriesUID], event.target.checked)}
            />
            <span>{[modality, name || 'Series', formatCount(images, 'image')].filter(Boolean).join(' · ')}</span>
          </label>
        ))}
      </div>
      {series.length > 1 && !isWhole && (
        <Button size="small" onClick={() => choose(uids, true)}>
          Share the whole study
        </Button>
      )}
    </fieldset>
  )
}
