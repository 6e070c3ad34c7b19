import { formatDay } from '@dmp/kit/language'
import type { SeriesEntry } from '../study/series.ts'
import type { Study } from '../study/Study.ts'
import type { Subject } from '../study/subject.ts'
import { element } from './element.ts'
import { idText, noNameText } from './PatientHeader.ts'

/** Name and ID: names alone are shared by many. */
export const personText = (subject: Subject | undefined): string =>
  [subject?.patientName ?? noNameText(), subject?.patientId && idText(subject.patientId)].filter(Boolean).join(' · ')

const dayText = (subject: Subject | undefined): string | undefined => subject?.studyDate && formatDay(subject.studyDate)

/** What tells a series from one of the same name in another study; nothing where there is one study alone. */
export const studyText = (study: Study, { studyUid }: SeriesEntry): string => {
  if (study.studyUids.length < 2) return ''
  const subject = study.subjectOf(studyUid)
  return [personText(subject), dayText(subject)].filter(Boolean).join(' · ')
}

/** The series of several studies, below whose they are and of when. */
export function studyGroups(study: Study, listOf: (entries: readonly SeriesEntry[]) => HTMLElement): HTMLElement {
  const groups = Map.groupBy(study.entries, ({ studyUid }) => studyUid)
  return element(
    'div',
    { class: 'studies' },
    ...[...groups].map(([studyUid, entries], at) => {
      const subject = study.subjectOf(studyUid)
      const id = `study-${at + 1}`
      const facts = [
        subject?.patientId && idText(subject.patientId),
        dayText(subject),
        subject?.studyDescription,
      ].filter((fact) => fact !== undefined)
      const heading = element(
        'h2',
        { id },
        element('bdi', {}, subject?.patientName ?? noNameText()),
        ...facts.map((fact) => element('span', { class: 'study-fact' }, element('bdi', {}, fact))),
      )
      return element('section', { class: 'study-group', 'aria-labelledby': id }, heading, listOf(entries))
    }),
  )
}
