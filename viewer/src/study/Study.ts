import { getMetadata, listPriors, listSeries, listSharedSeries, listStudies } from '../dicomweb/client.ts'
import { ViewerFailure, type FailureKind } from '../failure.ts'
import type { Address } from '../address.ts'
import { tag, type JsonDataset } from '@dmp/dicom'
import { text } from '../dicomweb/dataset.ts'
import { findComparable, personsOf, type Prior } from './priors.ts'
import {
  hasPictures,
  inListOrder,
  readSeries,
  seriesEntry,
  whyNotShown,
  type Series,
  type SeriesEntry,
} from './series.ts'
import { readSubject, type Subject } from './subject.ts'

/** A picture that cannot be shown says more than a document beside it. */
const isImage = (kind: FailureKind | undefined): boolean => kind !== 'no-images'

/** The series of the studies that the viewer was opened for; each is fetched when it is first asked for. */
export class Study {
  readonly entries: readonly SeriesEntry[]
  /** Other studies of the patient, the newest first, once they were found. */
  priors: readonly Prior[] = []
  /** How many more there are, and the page that leads to them. */
  morePriors: { readonly count: number; readonly patientPage: string } | undefined
  readonly #opened = new Map<string, Promise<Series>>()
  readonly #subjects = new Map<string, Subject>()
  readonly #priorEntries = new Map<string, readonly SeriesEntry[]>()

  /** @param ofStudies what lists say of the studies, so that it is known whose they are before one is opened */
  constructor(entries: readonly SeriesEntry[], ofStudies: readonly JsonDataset[] = []) {
    this.entries = entries
    for (const dataset of ofStudies) {
      const uid = text(dataset, tag.StudyInstanceUID)
      if (uid !== undefined && !this.#subjects.has(uid)) this.#subjects.set(uid, readSubject(dataset))
    }
  }

  /** Rejects with a ViewerFailure. */
  static async find({ studyUids, shareId }: Address): Promise<Study> {
    if (shareId !== undefined) return Study.#ofShare()
    if (studyUids.length === 0) throw new ViewerFailure('address')
    const entries = (await Promise.all(studyUids.map(listEntries))).flat()
    if (entries.length === 0) throw new ViewerFailure('not-found')
    // Whose each is has to be known where there are several; of one, its first series says it.
    const ofStudies = studyUids.length > 1 ? await listStudies(studyUids).catch(() => []) : []
    return new Study(entries, ofStudies)
  }

  static async #ofShare(): Promise<Study> {
    const found = await listSharedSeries()
    const entries = found.flatMap((dataset) => seriesEntry(dataset, '') ?? [])
    if (entries.length === 0) throw new ViewerFailure('link-ended')
    const studies = Map.groupBy(entries, ({ studyUid }) => studyUid)
    // What is one person's stands together.
    const personOf = new Map(found.map((dataset) => [text(dataset, tag.StudyInstanceUID), personKey(dataset)]))
    const persons = Map.groupBy(studies.values(), ([entry]) => personOf.get(entry?.studyUid))
    return new Study([...persons.values()].flat().flatMap(inListOrder), found)
  }

  /** Where to begin: the series that was asked for, else the first with pictures. */
  first(seriesUid: string | undefined): SeriesEntry {
    const requested = this.entries.find(({ uid }) => uid === seriesUid)
    const entry = requested ?? this.entries.find(hasPictures) ?? this.entries[0]
    if (entry === undefined) throw new ViewerFailure('no-images')
    return entry
  }

  /** The stack of a series; a failure is not remembered, so that asking again can help. */
  open(entry: SeriesEntry): Promise<Series> {
    const openedSeries = this.#opened.get(entry.uid)
    if (openedSeries !== undefined) return openedSeries
    const promise = getMetadata(entry.studyUid, entry.uid).then((headers) => {
      if (headers[0]) this.#subjects.set(entry.studyUid, readSubject(headers[0]))
      const series = readSeries(entry, headers)
      if (series.slices.length === 0) throw new ViewerFailure(headers.map(whyNotShown).find(isImage) ?? 'no-images')
      return series
    })
    this.#opened.set(entry.uid, promise)
    promise.catch(() => this.#opened.delete(entry.uid))
    return promise
  }

  /** The study that the viewer was opened for; the first where there are several. */
  get ownUid(): string {
    return this.entries[0]?.studyUid ?? ''
  }

  /** Whose study it is; known once a series of it was opened, also one that cannot be shown. */
  subjectOf(studyUid: string): Subject | undefined {
    return this.#subjects.get(studyUid)
  }

  /** The studies that the viewer was opened for, the patients one after the other. */
  get studyUids(): readonly string[] {
    return [...new Set(this.entries.map(({ studyUid }) => studyUid))]
  }

  /** Whether two studies are of one person, as far as it is known by now. */
  personsOf(one: string, other: string): ReturnType<typeof personsOf> {
    return one === other ? 'same' : personsOf(this.subjectOf(one), this.subjectOf(other))
  }

  /** The other study to compare a series with; they are those of the first study's patient. */
  comparableTo(entry: SeriesEntry): Prior | undefined {
    if (this.personsOf(entry.studyUid, this.ownUid) !== 'same') return undefined
    return findComparable(entry, this.subjectOf(entry.studyUid)?.studyDate, this.priors)
  }

  /**
   * What comes of itself beside a series: the next one with pictures that is not shown yet, of the same person. What is
   * of somebody else, or may be, comes only when somebody asks for it. Beside none of its own series, it is the first.
   */
  nextBeside(uid: string | undefined, shownUids: readonly string[]): SeriesEntry | undefined {
    const at = this.entries.findIndex((entry) => entry.uid === uid)
    const ownUid = this.entries[at]?.studyUid ?? this.ownUid
    return [...this.entries.slice(at + 1), ...this.entries.slice(0, Math.max(0, at))].find(
      (entry) =>
        hasPictures(entry) && !shownUids.includes(entry.uid) && this.personsOf(ownUid, entry.studyUid) === 'same',
    )
  }

  /** Looks for the patient's other studies. Rejects with a ViewerFailure. */
  async findPriors(): Promise<void> {
    const own = new Set(this.entries.map((entry) => entry.studyUid))
    const { data, more = 0, patientPage } = await listPriors(this.ownUid)
    if (more > 0 && patientPage !== undefined) this.morePriors = { count: more, patientPage }
    this.priors = data.filter(({ studyUID }) => !own.has(studyUID))
  }

  priorOf(studyUid: string): Prior | undefined {
    return this.priors.find(({ studyUID }) => studyUID === studyUid)
  }

  /** The series of another study, as far as they were asked for. */
  entriesOf({ studyUID }: Prior): readonly SeriesEntry[] | undefined {
    return this.#priorEntries.get(studyUID)
  }

  /** The series of another study. Rejects with a ViewerFailure. */
  async openPrior({ studyUID }: Prior): Promise<readonly SeriesEntry[]> {
    const entries = this.#priorEntries.get(studyUID) ?? (await listEntries(studyUID))
    if (entries.length === 0) throw new ViewerFailure('not-found')
    this.#priorEntries.set(studyUID, entries)
    return entries
  }
}

const personKey = (dataset: JsonDataset): string => {
  const { patientId, patientName } = readSubject(dataset)
  return JSON.stringify([patientId, patientName])
}

const listEntries = async (studyUid: string): Promise<readonly SeriesEntry[]> =>
  inListOrder((await listSeries(studyUid)).flatMap((dataset) => seriesEntry(dataset, studyUid) ?? []))
