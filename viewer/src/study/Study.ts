import { getMetadata, listSeries } from '../dicomweb/client.ts'
import { ViewerFailure } from '../failure.ts'
import type { Address } from '../address.ts'
import { hasPictures, inListOrder, readSeries, seriesEntry, type Series, type SeriesEntry } from './series.ts'

/** The series of the studies that the viewer was opened for; each is fetched when it is first asked for. */
export class Study {
  readonly entries: readonly SeriesEntry[]
  private readonly opened = new Map<string, Promise<Series>>()

  constructor(entries: readonly SeriesEntry[]) {
    this.entries = entries
  }

  /** Rejects with a ViewerFailure. */
  static async find({ studyUids }: Address): Promise<Study> {
    if (studyUids.length === 0) throw new ViewerFailure('address')
    const found = await Promise.all(
      studyUids.map(async (uid) => (await listSeries(uid)).flatMap((dataset) => seriesEntry(dataset, uid) ?? [])),
    )
    const entries = found.flatMap(inListOrder)
    if (entries.length === 0) throw new ViewerFailure('not-found')
    return new Study(entries)
  }

  /** Where to begin: the series that was asked for, else the first with pictures. */
  first(seriesUid: string | undefined): SeriesEntry {
    const asked = this.entries.find(({ uid }) => uid === seriesUid)
    const entry = asked ?? this.entries.find(hasPictures) ?? this.entries[0]
    if (entry === undefined) throw new ViewerFailure('no-images')
    return entry
  }

  /** The stack of a series; a failure is not remembered, so that asking again can help. */
  open(entry: SeriesEntry): Promise<Series> {
    const known = this.opened.get(entry.uid)
    if (known !== undefined) return known
    const asked = getMetadata(entry.studyUid, entry.uid).then((headers) => {
      const series = readSeries(entry, headers)
      if (series.slices.length === 0)
        throw new ViewerFailure(headers.some(({ '00280010': rows }) => rows) ? 'unsupported' : 'no-images')
      return series
    })
    this.opened.set(entry.uid, asked)
    asked.catch(() => this.opened.delete(entry.uid))
    return asked
  }
}
