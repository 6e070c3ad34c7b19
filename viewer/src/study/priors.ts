import { toWords } from '@dmp/kit/keys'
import { hasPictures, type SeriesEntry } from './series.ts'
import type { Subject } from './subject.ts'

/** Another study of the patient, as the server lists it. */
export interface Prior {
  readonly studyUID: string
  /** `YYYY-MM-DD` */
  readonly studyDate: string | null
  readonly description: string
  readonly modalities: readonly string[]
  readonly bodyParts: readonly string[]
  readonly images: number
  readonly patientName: string
  readonly birthDate: string | null
  /** As DICOM has it: F, M or O. */
  readonly sex: string | null
  /** The first series with pictures. */
  readonly pictureSeriesUID: string | null
}

/** The newest of the patient's other studies. */
export interface Priors {
  readonly data: readonly Prior[]
  /** How many there are besides; absent where the server is of an earlier version. */
  readonly more?: number
  /** The page that leads to all of them. */
  readonly patientPage?: string
}

/**
 * Whether the study says of its patient what the one on the screen does not: one ID may stand for two people, as when
 * two hospitals count from 1.
 */
export function mayBeSomebodyElse(
  { patientName, birthDate, sex }: Partial<Pick<Prior | Subject, 'patientName' | 'birthDate' | 'sex'>>,
  subject: Subject,
): boolean {
  const differs = (one: string | null | undefined, other: string | null | undefined) =>
    Boolean(one) && Boolean(other) && one !== other
  return (
    differs(toWords(patientName ?? '').join(' '), toWords(subject.patientName ?? '').join(' ')) ||
    differs(birthDate, subject.birthDate) ||
    differs(sex, subject.sex)
  )
}

/** Whether two studies are of one person, as far as it can be told: where neither says an ID, nobody knows. */
export function personsOf(one: Subject | undefined, other: Subject | undefined): 'same' | 'unclear' | 'different' {
  if (!one?.patientId || !other?.patientId) return 'unclear'
  if (one.patientId !== other.patientId) return 'different'
  return mayBeSomebodyElse(one, other) ? 'unclear' : 'same'
}

const isSame = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase()
const mayMatch = (one: string, other: string): boolean => one === '' || other === '' || isSame(one, other)

/** How much two series are of the same kind: 0 where they are not, or where it cannot be told. */
function likeness(one: SeriesEntry, other: SeriesEntry): number {
  if (one.modality !== other.modality || !hasPictures(other)) return 0
  if (!mayMatch(one.bodyPart, other.bodyPart) || !mayMatch(one.laterality, other.laterality)) return 0
  const [words, others] = [new Set(toWords(one.description)), new Set(toWords(other.description))]
  const both = [...words].filter((word) => others.has(word)).length
  const shared = both / Math.max(1, words.size + others.size - both)
  return shared + (one.bodyPart !== '' && isSame(one.bodyPart, other.bodyPart) ? 1 : 0)
}

/** The series to compare one with: of its modality and body part, described most alike; undefined where none is. */
export function findMatch(entry: SeriesEntry, others: readonly SeriesEntry[]): SeriesEntry | undefined {
  const [best] = others
    .map((other) => ({ other, score: likeness(entry, other) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  return best?.other
}

/** The study to compare a series with: the newest before its own that may have its like, else the oldest after it. */
export function findComparable(
  { modality, bodyPart }: SeriesEntry,
  studyDate: string | undefined,
  priors: readonly Prior[],
): Prior | undefined {
  const comparable = priors.filter(
    ({ modalities, bodyParts }) =>
      modalities.includes(modality) &&
      (bodyPart === '' || bodyParts.length === 0 || bodyParts.some((part) => isSame(part, bodyPart))),
  )
  const isEarlier = ({ studyDate: date }: Prior) => date !== null && studyDate !== undefined && date < studyDate
  return comparable.find(isEarlier) ?? comparable.at(-1)
}

const earlierText = () => 'Earlier study'
const laterText = () => 'Later study'
const otherText = () => 'Other study'

/** Where a study stands to the one that the viewer was opened for. */
export function relationOf(studyDate: string | null | undefined, current: string | undefined): string {
  if (!studyDate || !current || studyDate === current) return otherText()
  return studyDate < current ? earlierText() : laterText()
}
