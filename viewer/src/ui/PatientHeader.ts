import { unsaidModalities } from '@dmp/dicom/modalities'
import { formatDay } from '@dmp/kit/language'
import { seriesTitle, type SeriesEntry } from '../study/series.ts'
import { sexText, type Subject } from '../study/subject.ts'
import { element } from './element.ts'

const patientText = () => 'Patient'
/** Stands where a name would. */
export const noNameText = () => 'No name'
/** The ID that a hospital gave. */
export const idText = (id: string): string => `ID ${id}`
const bornText = (date: string): string => `Born ${date}`

/** Whose images are on the screen, and of which study: there as soon as the first header is, and above all pictures. */
export class PatientHeader {
  readonly root = element('div', { class: 'patient', role: 'group', 'aria-label': patientText(), hidden: true })
  #written = ''

  /** Nothing stands there where nothing is known. */
  show(subject: Subject | undefined, entry: SeriesEntry | undefined): void {
    this.root.hidden = subject === undefined
    if (subject === undefined || entry === undefined) {
      this.#written = ''
      return this.root.replaceChildren()
    }
    const { patientName, patientId, birthDate, sex, studyDate, studyDescription } = subject
    const who = [patientId && idText(patientId), birthDate && bornText(formatDay(birthDate)), sex && sexText(sex)]
    // The description may be long, and is what is left out first.
    const title = studyDescription ?? seriesTitle(entry)
    const what = [studyDate && formatDay(studyDate), unsaidModalities([entry.modality], title), title]
    const written = JSON.stringify([patientName, who, what])
    // A screen reader that stands on it is not sent back to its beginning.
    if (this.#written === written) return
    this.#written = written
    this.root.replaceChildren(element('strong', {}, isolated(patientName ?? noNameText())), parts(who), parts(what))
  }
}

// DICOM text may be written from right to left.
const isolated = (words: string): HTMLElement => element('bdi', {}, words)

const parts = (values: readonly (string | undefined)[]): HTMLElement =>
  element(
    'span',
    { class: 'patient-line' },
    ...values.flatMap((value) => (value ? [element('span', {}, isolated(value))] : [])),
  )
