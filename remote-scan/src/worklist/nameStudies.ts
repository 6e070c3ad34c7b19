import type { Study } from '@dmp/contract/scan'
import { formatDate } from '@dmp/kit/screen'
import { nameStudy, noNameText } from '../shared/scanSubject.ts'

export interface StudyNames {
  /** What acts on a study is called by it: it differs from those of all others on the page. */
  readonly nameOf: (study: Study) => string
  /** Whether its patient's name stands in another row, too. */
  readonly isAlike: (study: Study) => boolean
  /** Whether another patient of the page has this name: by their IDs. */
  readonly hasNamesake: (study: Study) => boolean
}

const patientOf = ({ patientName }: Study): string => patientName || noNameText()

/** Patient, study, day and ID, which tells apart who has the same name; where that is not enough, when it came. */
export function nameStudies(studies: readonly Study[]): StudyNames {
  const nameShort = (study: Study): string =>
    [patientOf(study), nameStudy(study), formatDate(study.studyDate, 'short'), study.patientID]
      .filter(Boolean)
      .join(', ')
  const nameLong = (study: Study): string => `${nameShort(study)}, ${formatDate(study.arrivedDate, 'moment')}`
  const countBy = (toText: (study: Study) => string) => Map.groupBy(studies, toText)
  const [patients, shorts, longs] = [countBy(patientOf), countBy(nameShort), countBy(nameLong)]
  const isSeveral = (found: readonly Study[] | undefined): boolean => (found?.length ?? 0) > 1
  return {
    nameOf: (study) => {
      if (!isSeveral(shorts.get(nameShort(study)))) return nameShort(study)
      return isSeveral(longs.get(nameLong(study))) ? `${nameLong(study)}, ${study.studyUID}` : nameLong(study)
    },
    hasNamesake: (study) => new Set(patients.get(patientOf(study))?.map(({ patientID }) => patientID)).size > 1,
    isAlike: (study) => isSeveral(patients.get(patientOf(study))),
  }
}
