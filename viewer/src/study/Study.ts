import { getMetadata, listSeries, listSharedSeries } from '../dicomweb/client.ts'
import { ViewerFailure, type FailureKind } from '../failure.ts'
import type { Address } from '../address.ts'
import {
  hasPictures,
  inListOrder,
  readSeries,
  seriesEntry,
  whyNotShown,
  type Series,
  type SeriesEntry,
} from './series.ts'

/** A picture that cannot be shown says more than a document beside it. */
const isImage = (kind: FailureKind | undefined): boolean => kind !== 'no-images'

/** The series of the studies that the viewer was opened for; each is fetched when it is first asked for. */
export class Study {
  readonly entries: readonly SeriesEntry[]
  readonly #opened = new Map<string, Promise<Series>>()

  constructor(entries: readonly SeriesEntry[]) {
    this.entries = entries
  }

  /** Rejects with a ViewerFailure. */
  static async find({ studyUids, shareId }: Address): Promise<Study> {
    if (shareId !== undefined) return Study.#ofShare()
    if (studyUids.length === 0) throw new ViewerFailure('address')
    const entriesByStudy = await Promise.all(
      studyUids.map(async (uid) => (await listSeries(uid)).flatMap((dataset) => seriesEntry(dataset, uid) ?? [])),
    )
    const entries = entriesByStudy.flatMap(inListOrder)
    if (entries.length === 0) throw new ViewerFailure('not-found')
    return new Study(entries)
  }

  static async #ofShare(): Promise<Study> {
    const entries = (await listSharedSeries()).flatMap((dataset) => seriesEntry(dataset, '') ?? [])
    if (entries.length === 0) throw new ViewerFailure('link-ended')
    const studies = Map.groupBy(entries, ({ studyUid }) => studyUid)
    return new Study([...studies.values()].flatMap(inListOrder))
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
      const series = readSeries(entry, headers)
      if (series.slices.length === 0) throw new ViewerFailure(headers.map(whyNotShown).find(isImage) ?? 'no-images')
      return series
    })
    this.#opened.set(entry.uid, promise)
    promise.catch(() => this.#opened.delete(entry.uid))
    return promise
  }
}
